interface Saved {
  author?: string | null | undefined
  createdAt: string
  publishedAt: string | null
}

const PAUSE_MS = 30 * 60_000

/**
 * Groups versions by sitting, newest first. A sitting is what one person saved without a pause of half an hour. A published or scheduled
 * version starts a group, above the saves that led to it.
 */
export function groupBySitting<Version extends Saved>(versions: readonly Version[]): [Version, ...Version[]][] {
  const groups: [Version, ...Version[]][] = []
  for (const version of versions) {
    const group = groups.at(-1)
    const next = group?.at(-1)
    if (group && next && !version.publishedAt && version.author === next.author && measureGap(next, version) <= PAUSE_MS)
      group.push(version)
    else groups.push([version])
  }
  return groups
}

const measureGap = (later: Saved, earlier: Saved) => Date.parse(later.createdAt) - Date.parse(earlier.createdAt)
