import { createHash, randomUUID } from 'node:crypto'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import { createBrowserToken } from '#app/server/auth/sign-browser-token.ts'

/**
 * A token as the site issues them, after it came back.
 * @param browser whose it is: the same one always gets the same token
 */
export const issueToken = ({ secret }: { secret: string }, { id }: { id: string }, browser: string = randomUUID()): BrowserToken =>
  createBrowserToken(secret, id, createHash('sha256').update(browser).digest().subarray(0, 16)) as BrowserToken
