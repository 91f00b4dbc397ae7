import type { outboxMails } from '../db/schema.ts'

type Row = typeof outboxMails.$inferSelect

/** What stands in for a secret wherever a mail is shown. */
export const MASK = '…'
/** A secret as `newToken` makes them, alone or as the signature of what stands before it. */
const TOKEN = /(?<![A-Za-z0-9_-])(?:[A-Za-z0-9_-]+\.)?[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g
/** What an address carries for its reader only. */
const IN_ADDRESS = /([?&](?:amp;)?(?:token|invitation|preview|code)=)[^&\s"<]+/g

interface Bodies {
  text: string
  html: string
}

/**
 * Parts a mail into what may be shown to those who run the site and what only its reader gets.
 * @param secrets what is secret besides links: the code of a receipt
 */
export function maskBodies(bodies: Bodies, secrets: readonly string[] = []): { shown: Bodies; secret: Bodies | null } {
  const mask = (body: string) =>
    secrets
      .filter(Boolean)
      .reduce((text, secret) => text.replaceAll(secret, MASK), body)
      .replace(IN_ADDRESS, `$1${MASK}`)
      .replace(TOKEN, MASK)
  const shown = { text: mask(bodies.text), html: mask(bodies.html) }
  return { shown, secret: shown.text === bodies.text && shown.html === bodies.html ? null : bodies }
}

/** A mail's bodies as its reader gets them: for handing it over, and for nothing that shows it to anybody else. */
export const wholeBodies = ({ secretBodies, bodyText, bodyHtml }: Pick<Row, 'secretBodies' | 'bodyText' | 'bodyHtml'>): Bodies =>
  secretBodies ?? { text: bodyText, html: bodyHtml }
