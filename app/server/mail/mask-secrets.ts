import type { outboxMails } from '../db/schema/mail.ts'

type Row = typeof outboxMails.$inferSelect

/** Replaces a secret wherever a mail is shown. */
export const MASK = '…'
/** A secret from `createToken`, on its own or as the signature after a payload. */
const SECRET_TOKEN = /(?<![A-Za-z0-9_-])(?:[A-Za-z0-9_-]+\.)?[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g
/** URL parameters meant only for the recipient. */
const SECRET_PARAMETER = /([?&](?:amp;)?(?:token|invitation|preview|code)=)[^&\s"<]+/g

interface Bodies {
  text: string
  html: string
}

/**
 * Splits a mail's bodies into a masked version for those who run the site, and the original for its reader.
 * @param secrets secrets other than links, such as a receipt's code
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

/** A mail's original bodies: only for sending it, never for showing it to anybody else. */
export const getUnmaskedBodies = ({ secretBodies, bodyText, bodyHtml }: Pick<Row, 'secretBodies' | 'bodyText' | 'bodyHtml'>): Bodies =>
  secretBodies ?? { text: bodyText, html: bodyHtml }
