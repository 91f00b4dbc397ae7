import { getRequestHeader, getRequestUrl } from '@tanstack/react-start/server'
import { isAppError } from '../lib/app-error.ts'
import type { Ctx } from './context.ts'
import { seeOther } from './forms.ts'
import { getTranslator } from './i18n.ts'

/**
 * The answer to a download, or a link that acts, that is refused: the error in the reader's language; if they only have to confirm who they are,
 * or to say why they want the file, the page that asks for it and then leads back. A program that sends no reason gets a status of 422.
 * @throws what is no AppError
 */
export function createRefusedFileResponse(ctx: Ctx, error: unknown): Response {
  if (!isAppError(error)) throw error
  const headers = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' }
  if (error.code === 'fresh-sign-in-required') {
    const { pathname, search } = getRequestUrl()
    return seeOther(`/account/confirm?next=${encodeURIComponent(pathname + search)}`, headers)
  }
  if (error.code === 'reason-required') {
    const { pathname, search } = getRequestUrl()
    if (getRequestHeader('accept')?.includes('text/html'))
      return seeOther(`/account/reason?next=${encodeURIComponent(pathname + search)}`, headers)
  }
  const text = getTranslator(ctx.language, 'errors')(`codes.${error.code}`)
  return new Response(text, { status: error.status, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } })
}
