import { loadEnabledInstallations } from '#app/features/marketplace/installations.server.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { formatPhone } from '#app/server/format-phone.ts'
import { loadKeywords } from './keywords.server.ts'

/** How a survey is answered by text message: a word, texted to a number. */
export interface TextStart {
  keyword: string
  number: string
}

/** What to text, in the page's language if the survey has a word in it; null if it is not open, has no word, or no service has a number of its own. */
export async function findTextStart(ctx: Ctx, tx: Tx, { id, state }: { id: string; state: string }): Promise<TextStart | null> {
  if (state !== 'open') return null
  const keywords = await loadKeywords(tx, ctx.site.id, id)
  const keyword = keywords[ctx.language] ?? keywords[ctx.site.locale] ?? Object.values(keywords)[0]
  if (!keyword) return null
  const services = await loadEnabledInstallations(withTx(ctx, tx), 'receive-sms')
  const numbers = services.map(({ row, integration }) => integration.sms?.findNumber?.(row.settings))
  const number = numbers.find((one) => one !== undefined)
  return number === undefined ? null : { keyword, number: formatPhone(number) }
}
