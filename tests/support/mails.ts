import { inject } from 'vitest'
import { mailsCommand } from '#app/cli/mails.ts'
import { readEnv } from '#app/server/env.ts'
import { runParley } from './product.ts'

const getDataDir = (): string => inject('dataDirs')[Number(process.env['VITEST_POOL_ID']) - 1] ?? ''

/**
 * The link in the newest pending mail to a demo account, as the operator sees it. The command is called here instead of in a process of its
 * own, which takes seconds to start.
 */
export async function requireMailedLink(email: string, part: string): Promise<string> {
  const lines: string[] = []
  await mailsCommand({ env: readEnv({ DATA_DIR: getDataDir() }), words: [email], say: (line) => lines.push(line) })
  const output = lines.join('\n')
  const link = [...output.matchAll(/https?:\/\/\S+/g)].map(([address]) => address).findLast((address) => address.includes(part))
  if (!link) throw new Error(`No link with ${part} waits for ${email}:\n${output}`)
  return link
}

/** What `parley mails <email>` prints. */
export async function runMailsCommand(email: string): Promise<string> {
  const running = runParley(['mails', email], { DATA_DIR: getDataDir() })
  if ((await running.ended) !== 0) throw new Error(running.output())
  return running.output()
}
