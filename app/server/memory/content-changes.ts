import type { ContentNames } from './content-reads.ts'

/** A row of `content_changes`: version, table, and what the changed row belongs to. */
export type ContentChange = readonly [version: number, table: string, scope: string]

/** A site's content in one version. */
export interface ContentAt {
  id: string
  contentVersion: number
}

interface KnownSite {
  version: number
  /** What is older counts as changed. */
  floor: number
  /** The version in which a table, or what belongs to something in it, last changed; in the order of these versions. */
  changedIn: Map<string, number>
}

const MAX_SITES = 1000
/** Of one site. */
const MAX_NAMES = 500
const WHOLE_TABLE = '00000000-0000-0000-0000-000000000000'
/** Pages also show the site's own row, which the process has before it reads anything. */
const ALWAYS_READ = ['sites', 'site_domains'] as const

/** What this process knows of changes to the content of sites, to tell whether something that was read before is still as it was. */
export class ContentChanges {
  readonly #sites = new Map<string, KnownSite>()

  /** The newest version whose changes are known. */
  findVersion(siteId: string | undefined): number | undefined {
    return siteId === undefined ? undefined : this.#sites.get(siteId)?.version
  }

  /**
   * Takes in what changed up to a version. If changes are missing, as after many of them or a version that was counted up by hand, everything
   * counts as changed.
   * @param since the version after which `changes` begin; undefined: none are known
   */
  note({ id, contentVersion: version }: ContentAt, since: number | undefined, changes: readonly ContentChange[]): void {
    const known = this.#sites.get(id)
    if (known && known.version >= version) return
    const versions = new Set(changes.map(([of]) => of))
    const isWhole = known && since !== undefined && since <= known.version && versions.size === version - since
    if (!isWhole) {
      this.#sites.delete(id)
      const [oldest] = this.#sites.keys()
      if (oldest !== undefined && this.#sites.size >= MAX_SITES) this.#sites.delete(oldest)
      this.#sites.set(id, { version, floor: version, changedIn: new Map() })
      return
    }
    for (const [of, table, scope] of changes.toSorted(([a], [b]) => a - b)) {
      setLast(known, table, of)
      setLast(known, `${table}:${scope}`, of)
    }
    known.version = version
  }

  /** True if nothing of `names` changed after `version`, up to the given one. */
  isCurrent(site: ContentAt, names: ContentNames, version: number): boolean {
    if (version >= site.contentVersion) return true
    const known = this.#sites.get(site.id)
    if (!known || known.version < site.contentVersion || version < known.floor) return false
    const changedAfter = (name: string) => (known.changedIn.get(name) ?? 0) > version
    if (ALWAYS_READ.some(changedAfter)) return false
    for (const name of names) if (changedAfter(name) || changedAfter(`${name.split(':', 1)[0]}:${WHOLE_TABLE}`)) return false
    return true
  }
}

/** The oldest change is forgotten first: what was read before it then counts as outdated. */
function setLast(known: KnownSite, name: string, version: number): void {
  known.changedIn.delete(name)
  known.changedIn.set(name, version)
  const [oldest] = known.changedIn
  if (!oldest || known.changedIn.size <= MAX_NAMES) return
  known.changedIn.delete(oldest[0])
  known.floor = Math.max(known.floor, oldest[1])
}
