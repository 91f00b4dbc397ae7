import * as v from 'valibot'

/** A host name as a browser has it, with an asterisk nowhere: what is listed holds for the names below it as well. */
const HOST_PATTERN = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/

/** A domain as somebody types it: an address or a name, in capitals or not. */
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
  /** Its pages may show ours. */
  mayFrame: v.boolean(),
  /** Blocks of our homepage may show its pages. */
  showsHere: v.boolean(),
})

export interface EmbedDomain {
  host: string
  mayFrame: boolean
  showsHere: boolean
}

/** Something of the site that another page can show. */
export interface Embeddable {
  /** Where it is: a path of the site. */
  path: string
  title: string
  kind: 'survey' | 'project'
}

export interface EmbedSettings {
  domains: EmbedDomain[]
  embeddables: Embeddable[]
  /** The site as other pages name it: `https://…`. */
  origin: string
}
