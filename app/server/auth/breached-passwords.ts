import { createHash } from 'node:crypto'
import type { Ctx } from '../context.ts'
import { readWholeBody, sendOutgoing } from '../outgoing/send-outgoing.ts'

/** The person who chose the password is waiting for a reply. */
const WITHIN_MS = 2000
/** A part of the list holds about a thousand passwords. */
const MOST_BYTES = 500_000
const PREFIX_LENGTH = 5

/**
 * True if the password was found in breaches, by the list that `BREACHED_PASSWORDS_URL` names. The list learns the first 20 bits of the
 * password's hash, which hundreds of others share, and nothing of the person. If it cannot be reached, the password is accepted.
 * @see https://haveibeenpwned.com/API/v3#PwnedPasswords
 */
export async function isBreachedPassword({ runtime }: Pick<Ctx, 'runtime'>, password: string): Promise<boolean> {
  const { BREACHED_PASSWORDS_URL, OUTGOING_LOOPBACK } = runtime.env
  if (!BREACHED_PASSWORDS_URL) return false
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  const url = `${BREACHED_PASSWORDS_URL.replace(/\/$/, '')}/range/${hash.slice(0, PREFIX_LENGTH)}`
  try {
    const answer = await sendOutgoing(
      // Padding hides from the line how long the part is.
      { url, headers: { 'add-padding': 'true' }, withinMs: WITHIN_MS, mostBytes: MOST_BYTES },
      { loopback: OUTGOING_LOOPBACK },
    )
    const lines = (await readWholeBody(answer)).toString().split(/\r?\n/)
    if (answer.status !== 200) throw new Error(`status ${answer.status}`)
    // Lines that only pad say 0.
    return lines.some((line) => /^:[1-9]/.test(line.replace(hash.slice(PREFIX_LENGTH), '')))
  } catch (error) {
    runtime.log.warn('the list of breached passwords did not answer', { error: String(error) })
    return false
  }
}
