import { createHash } from 'node:crypto'
import type { SendMailOptions } from 'nodemailer'
import type { TransportMail } from './mail-transport.ts'

/** How long of a site's mark tells it from the installation's other sites. */
const SITE_MARK_LENGTH = 8
const REFERENCE_PATTERN = /(?<![0-9a-z])([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})([0-9a-f]{8})(?![0-9a-z])/gi

export const computeSiteMark = (siteId: string): string => createHash('sha256').update(siteId).digest('hex').slice(0, SITE_MARK_LENGTH)

/** What a mail is called outside: 40 hexadecimal digits, of which only whoever had the mail knows all. */
export const buildMailReference = (siteId: string, mailId: string): string => `${mailId.replaceAll('-', '')}${computeSiteMark(siteId)}`

/** A mail as something that came back calls it. */
export interface MailReference {
  mailId: string
  siteMark: string
}

/** Each reference in a line of text, such as a Message-ID or the address a mail came back to. */
export const findReferences = (text: string): MailReference[] =>
  [...text.matchAll(REFERENCE_PATTERN)].map(([, ...parts]) => ({
    mailId: parts.slice(0, 5).join('-').toLowerCase(),
    siteMark: parts.at(5)?.toLowerCase() ?? '',
  }))

/**
 * Says where a mail that cannot be delivered comes back to, and what it is called there: in the address itself, where there is one for it
 * (`returned@city.example` becomes `returned+<reference>@city.example`), and for servers that know RFC 3461.
 */
export function withReturnPath({ reference, sender, ...mail }: TransportMail, bouncesTo: string | undefined): SendMailOptions {
  const at = bouncesTo?.lastIndexOf('@') ?? -1
  const from = bouncesTo && at > 0 ? `${bouncesTo.slice(0, at)}+${reference}${bouncesTo.slice(at)}` : sender
  const { to } = mail
  return { ...mail, ...(to ? { envelope: { from, to } } : {}), dsn: { id: reference, return: 'headers', notify: 'failure' } }
}
