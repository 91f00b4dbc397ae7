import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { StartupFault } from '../../server/startup-fault.ts'
import type { CommandCall } from '../commands.ts'
import { formatUsage } from '../usage.ts'
import { readKeyFile } from './key-file.ts'
import { printDirectory, recordMove, reopenSite, runExport, runImport } from './run-moves.ts'
import { withMoveRuntime } from './move-runtime.ts'

const OPTIONS = {
  'key-file': { type: 'string' },
  'while-serving': { type: 'boolean' },
  'with-installation-key': { type: 'boolean' },
  'without-key': { type: 'boolean' },
  host: { type: 'string' },
  to: { type: 'string' },
} as const

type Given = ReturnType<typeof parseWords>
const HOST = /^(?=.{1,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/

const createUsageFault = (why = '') => new StartupFault(`${why}Usage: parley ${formatUsage('site')}`)

/** `parley site export | import | moved | reopen | directory`. */
export async function siteCommand(call: CommandCall): Promise<void> {
  const given = parseWords(call.words)
  const [act, ...words] = given.positionals
  const run = act === undefined ? undefined : ACTS[act]
  if (!run) throw createUsageFault()
  await run(call, words, given)
}

function parseWords(words: string[]) {
  try {
    return parseArgs({ args: words, options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw createUsageFault(`${error instanceof Error ? error.message.split('. ')[0] : ''}. `)
  }
}

const ACTS: Record<string, (call: CommandCall, words: string[], given: Given) => Promise<void>> = {
  export: async (call, words, { values }) => {
    const [site, file] = requireWords(words, 2)
    const path = resolve(file)
    if (existsSync(path)) throw new StartupFault(`${path} is there already: name another file.`)
    const passphrase = readKeyFile(requireKeyFile(values['key-file']), { make: true, say: call.say })
    await withMoveRuntime(call, (runtime) =>
      runExport(runtime, site, {
        path,
        passphrase,
        purpose: values['while-serving'] ? 'backup' : 'move',
        withInstallationKey: values['with-installation-key'] ?? false,
      }),
    )
  },
  import: async (call, words, { values }) => {
    const [file] = requireWords(words, 1)
    const path = resolve(file)
    if (!existsSync(path)) throw new StartupFault(`There is no file ${path}.`)
    if (values.host !== undefined && !HOST.test(values.host)) throw createUsageFault('--host must be a host name in lower case. ')
    const passphrase = readKeyFile(requireKeyFile(values['key-file']), { make: false, say: call.say })
    await withMoveRuntime(call, (runtime) =>
      runImport(runtime, { path, passphrase, host: values.host, withoutKey: values['without-key'] ?? false }),
    )
  },
  moved: async (call, words, { values }) => {
    const [site] = requireWords(words, 1)
    await withMoveRuntime(call, (runtime) => recordMove(runtime, site, requireOrigin(values.to)))
  },
  reopen: async (call, words) => {
    const [site] = requireWords(words, 1)
    await withMoveRuntime(call, (runtime) => reopenSite(runtime, site))
  },
  directory: async (call, words) => {
    requireWords(words, 0)
    await withMoveRuntime(call, (runtime) => printDirectory(runtime))
  },
}

function requireWords(words: string[], count: 0): []
function requireWords(words: string[], count: 1): [string]
function requireWords(words: string[], count: 2): [string, string]
function requireWords(words: string[], count: number): string[] {
  if (words.length !== count) throw createUsageFault()
  return words
}

function requireKeyFile(name: string | undefined): string {
  if (!name) throw createUsageFault('--key-file is missing. ')
  return name
}

function requireOrigin(text: string | undefined): string {
  const url = URL.parse(text ?? '')
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username)
    throw createUsageFault('--to must be an address such as https://consult.example.org. ')
  return url.origin
}
