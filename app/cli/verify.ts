import { readFile } from 'node:fs/promises'
import { checkResult } from '../features/budgets/counting/check-result.ts'
import { PbFault, readPbFile } from '../features/budgets/counting/pb-file.ts'
import { checkLedger, type CheckedLedger, type LedgerFault } from '../features/ledger/check-ledger.ts'
import { StartupFault } from '../server/startup-fault.ts'
import type { CommandCall } from './commands.ts'
import { formatUsage } from './usage.ts'

/** Recomputes a ledger from its file and, with the files of all pots, the result that it is closed with. @throws {StartupFault} if anything is wrong */
export async function verifyLedger({ words: [path, ...pots], say }: CommandCall): Promise<void> {
  if (!path) throw new StartupFault(`Usage: ${formatUsage('verify')}`)
  const ledger = await checkLedger(await readText(path))
  if (ledger.faults.length > 0)
    throw new StartupFault([`${path} is not as it was published.`, ...ledger.faults.map(describeFault)].join('\n  '))
  for (const line of describeLedger(ledger)) say(line)
  if (pots.length > 0) await verifyResult(ledger, pots, say)
}

async function verifyResult(ledger: CheckedLedger, paths: readonly string[], say: CommandCall['say']): Promise<void> {
  const files = await Promise.all(paths.map(readElection))
  const { pots, isSealed } = await checkResult(ledger, files)
  for (const [at, { ballots, outcome, isStated }] of pots.entries()) {
    say(`${paths[at]}: ${ballots} ballots, rule ${outcome.rule}, funded: ${outcome.funded.join(', ') || 'nothing'}.`)
    if (!isStated) throw new StartupFault(`${paths[at]} states another result than its ballots give.`)
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

async function readElection(path: string) {
  try {
    const file = await readPbFile(await readText(path))
    if (!file.rule) throw new StartupFault(`The rule of ${path}, ${file.meta.get('rule') ?? 'none'}, is not known.`)
    return { ...file, rule: file.rule }
  } catch (error) {
    if (error instanceof PbFault) throw new StartupFault(`${path} cannot be counted. ${error.message}.`)
    throw error
  }
}

const describeLedger = ({ ledger, entries, standing, marks, head, result }: CheckedLedger): string[] => [
  `Ledger ${ledger}: ${entries} entries, each joined to the one before.`,
  `${standing} stand, ${marks} are marked as replaced${result ? ', and the last one is the certified result' : ''}.`,
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
