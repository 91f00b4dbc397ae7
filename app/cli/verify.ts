import { readFile } from 'node:fs/promises'
import { checkResult } from '../features/budgets/counting/check-result.ts'
import { PbFault, readPbFile } from '../features/budgets/counting/pb-file.ts'
import { checkLedger, type CheckedLedger, findLeaf, type LedgerFault } from '../features/ledger/check-ledger.ts'
import { hashText } from '../lib/hash-text.ts'
import { StartupFault } from '../server/startup-fault.ts'
import type { CommandCall } from './commands.ts'
import { formatUsage } from './usage.ts'

/** What the file of a receipt begins with: the salt, and what was sent as JSON. */
const PROOF = /^[\da-f]{64}\{/

/**
 * Recomputes a ledger from its file, with the files of all pots the result that it is closed with, and with the file of a receipt which entry is
 * its own. @throws {StartupFault} if anything is wrong
 */
export async function verifyLedger({ words: [path, ...paths], say }: CommandCall): Promise<void> {
  if (!path) throw new StartupFault(`Usage: ${formatUsage('verify')}`)
  const text = await readText(path)
  const ledger = await checkLedger(text)
  if (ledger.faults.length > 0)
    throw new StartupFault([`${path} is not as it was published.`, ...ledger.faults.map(describeFault)].join('\n  '))
  for (const line of describeLedger(ledger)) say(line)
  const files = await Promise.all(paths.map(async (one) => ({ path: one, text: await readText(one) })))
  for (const file of files) if (PROOF.test(file.text)) say(await describeOwnEntry(text, file))
  const pots = files.filter((file) => !PROOF.test(file.text))
  if (pots.length > 0) await verifyResult(ledger, pots, say)
}

interface GivenFile {
  path: string
  text: string
}

/** @throws {StartupFault} if the ledger has no entry of it */
async function describeOwnEntry(ledger: string, { path, text }: GivenFile): Promise<string> {
  // An editor may have ended the line.
  const own = findLeaf(ledger, await hashText(text.trimEnd()))
  if (!own)
    throw new StartupFault(`The ledger has no entry of ${path}. One that was sent less than an hour and a minute ago may still wait.`)
  return `${path} is entry ${own.number}, which ${own.mark ? `is marked as ${own.mark}` : 'stands'}.`
}

async function verifyResult(ledger: CheckedLedger, given: readonly GivenFile[], say: CommandCall['say']): Promise<void> {
  const files = await Promise.all(given.map(readElection))
  const { pots, isSealed } = await checkResult(ledger, files)
  for (const [at, { ballots, outcome, isStated }] of pots.entries()) {
    const path = given[at]?.path ?? ''
    say(`${path}: ${ballots} ballots, rule ${outcome.rule}, funded: ${outcome.funded.join(', ') || 'nothing'}.`)
    if (!isStated) throw new StartupFault(`${path} states another result than its ballots give.`)
  }
  if (!ledger.result) throw new StartupFault('The ledger is not closed yet: the result is not certified.')
  if (!isSealed)
    throw new StartupFault('The ledger is closed with another result than these files give. Name the files of all pots, each once.')
  say('The ledger is closed with this result, and has one standing entry for each ballot.')
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new StartupFault(`There is no file ${path}.`)
    throw error
  }
}

async function readElection({ path, text }: GivenFile) {
  try {
    const file = await readPbFile(text)
    if (!file.rule) throw new StartupFault(`The rule of ${path}, ${file.meta.get('rule') ?? 'none'}, is not known.`)
    return { ...file, rule: file.rule }
  } catch (error) {
    if (error instanceof PbFault) throw new StartupFault(`${path} cannot be counted. ${error.message}.`)
    throw error
  }
}

const describeLedger = ({ ledger, entries, standing, marks, withdrawn, head, result }: CheckedLedger): string[] => [
  `Ledger ${ledger}: ${entries} entries, each joined to the one before.`,
  `${standing} stand, ${marks - withdrawn} are marked as replaced${withdrawn > 0 ? `, ${withdrawn} as withdrawn` : ''}${result ? ', and the last one is the certified result' : ''}.`,
  `Hash of the last entry: ${head}`,
]

function describeFault(fault: LedgerFault): string {
  const row = `Row ${fault.row}`
  switch (fault.code) {
    case 'no-ledger':
      return `${row}: this is not the first line of a ledger.`
    case 'unreadable':
      return `${row}: this is not an entry as Parley writes it.`
    case 'missing':
      return `${row}: entry ${fault.number} is missing before it.`
    case 'moved':
      return `${row}: entry ${fault.number} was moved here.`
    case 'twice':
      return `${row}: entry ${fault.number} is there twice.`
    case 'changed':
      return `${row}: entry ${fault.number} was changed. It does not give its hash.`
    case 'not-joined':
      return `${row}: entry ${fault.number} does not name the hash of the entry before.`
    case 'wrong-mark':
      return `${row}: entry ${fault.number} marks entry ${fault.of}, which is none that stands.`
    case 'after-result':
      return `${row}: it follows the certified result, after which there can be no entry.`
    case 'wrong-head':
      return `${row}: it states another number of entries, or another last hash, than the file has (${fault.entries} entries).`
  }
}
