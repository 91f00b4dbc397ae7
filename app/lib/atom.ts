import { escapeXml } from './escape-html.ts'

interface AtomFeed {
  /** A URN. */
  id: string
  title: string
  language: string
  updated: Date
  author: { name: string; uri: string }
  /** Its own address. */
  self: string
  /** The page that shows the same. */
  page: string
  /** The same feed in other languages. */
  others: readonly { language: string; href: string }[]
  entries: readonly string[]
}

/** An Atom 1.0 document (RFC 4287). */
export const formatAtomFeed = ({ id, title, language, updated, author, self, page, others, entries }: AtomFeed): string =>
  [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">`,
    `<id>${id}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<updated>${updated.toISOString()}</updated>`,
    `<author><name>${escapeXml(author.name)}</name><uri>${escapeXml(author.uri)}</uri></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>`,
    `<link rel="alternate" type="text/html" hreflang="${language}" href="${escapeXml(page)}"/>`,
    ...others.map(
      (other) => `<link rel="alternate" type="application/atom+xml" hreflang="${other.language}" href="${escapeXml(other.href)}"/>`,
    ),
    ...entries,
    '</feed>\n',
  ].join('\n')
