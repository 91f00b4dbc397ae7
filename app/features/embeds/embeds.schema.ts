import * as v from 'valibot'

/** A host name as browsers report it. No wildcards: an entry includes its subdomains. */
const HOST_PATTERN = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/

/** A domain as people type it: a URL or a host name, in any case. */
export const hostSchema = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.transform((typed) =>
    typed
      .replace(/^https?:\/\//, '')
      .replace(/[/?#].*$/, '')
      .replace(/:\d+$/, ''),
  ),
  v.regex(HOST_PATTERN, 'domain'),
)

export const embedDomainSchema = v.object({
  host: hostSchema,
  /** Its pages may frame ours. */
  mayFrame: v.boolean(),
  /** Blocks on our homepage may frame its pages. */
  showsHere: v.boolean(),
})

export interface EmbedDomain {
  host: string
  mayFrame: boolean
  showsHere: boolean
}

/** A survey, activity or project that another site can embed. */
export interface Embeddable {
  /** Path on the site. */
  path: string
  title: string
  kind: 'survey' | 'activity' | 'project'
}

export interface EmbedSettings {
  domains: EmbedDomain[]
  /** What is offered first. */
  embeddables: Embeddable[]
  /** The site's origin: `https://…`. */
  origin: string
}
