import { inject } from 'vitest'
import { runParley } from './product.ts'

/** The link in the newest pending mail to a demo account, as the operator sees it on the command line. */
export async function requireMailedLink(email: string, part: string): Promise<string> {
  const place = Number(process.env['VITEST_POOL_ID'])
  const running = runParley(['mails', email], { DATA_DIR: inject('dataDirs')[place - 1] ?? '' })
  if ((await running.ended) !== 0) throw new Error(running.output())
  const link = [...running.output().matchAll(/https?:\/\/\S+/g)].map(([address]) => address).findLast((address) => address.includes(part))
  if (!link) throw new Error(`No link with ${part} waits for ${email}:\n${running.output()}`)
  return link
}
