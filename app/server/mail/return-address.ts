import { createHash } from 'node:crypto'
import type { SendMailOptions } from 'nodemailer'
import type { TransportMail } from './mail-transport.ts'

/** Enough digits to tell the installation's sites apart. */
const SITE_MARK_LENGTH = 8
const REFERENCE_PATTERN = /(?<![0-9a-z])([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})([0-9a-f]{8})(?![0-9a-z])/gi

export const computeSiteMark = (siteId: string): string => createHash('sha256').update(siteId).digest('hex').slice(0, SITE_MARK_LENGTH)

/** A mail's public reference: 40 hexadecimal digits that only its recipient knows in full. */
export const buildMailReference = (siteId: string, mailId: string): string => `${mailId.replaceAll('-', '')}${computeSiteMark(siteId)}`

/** A parsed reference. */
export interface MailReference {
  mailId: string
  siteMark: string
}

/** Every reference in a line of text, such as a Message-ID or a return address. */
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
