import type { outboxMails } from '../db/schema.ts'

type Row = typeof outboxMails.$inferSelect

/** What stands in for a secret wherever a mail is shown. */
export const MASK = '…'
/** A secret as `createToken` makes them, alone or as the signature of what stands before it. */
const SECRET_TOKEN = /(?<![A-Za-z0-9_-])(?:[A-Za-z0-9_-]+\.)?[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g
/** What an address carries for its reader only. */
const SECRET_PARAMETER = /([?&](?:amp;)?(?:token|invitation|preview|code)=)[^&\s"<]+/g

interface Bodies {
  text: string
  html: string
}

/**
 * Parts a mail into what may be shown to those who run the site and what only its reader gets.
 * @param secrets what is secret besides links: the code of a receipt
 */
export function maskBodies(bodies: Bodies, secrets: readonly string[] = []): { shown: Bodies; secret: Bodies | null } {
  const maskBody = (body: string) =>
    secrets
      .filter(Boolean)
      .reduce((text, secret) => text.replaceAll(secret, MASK), body)
      .replace(SECRET_PARAMETER, `$1${MASK}`)
      .replace(SECRET_TOKEN, MASK)
  const shown = { text: maskBody(bodies.text), html: maskBody(bodies.html) }
  return { shown, secret: shown.text === bodies.text && shown.html === bodies.html ? null : bodies }
}

/** A mail's bodies as its reader gets them: for handing it over, and for nothing that shows it to anybody else. */
export const getUnmaskedBodies = ({ secretBodies, bodyText, bodyHtml }: Pick<Row, 'secretBodies' | 'bodyText' | 'bodyHtml'>): Bodies =>
  secretBodies ?? { text: bodyText, html: bodyHtml }
