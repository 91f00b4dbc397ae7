import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { AppError, type Fault } from '../lib/app-error.ts'
import type { ErrorCode } from '../lib/error-catalogue.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../lib/concurrency-limit.ts'
import { findSourcePath } from './source-path.ts'

const ENTRY = 'app/cli/foreign-file-process.ts'

/** Readers for untrusted files, as `app/cli/foreign-file-process.ts` knows them, and the writer of documents. */
export type ForeignReader =
  | 'survey-file'
  | 'response-table'
  | 'map-layer'
  | 'map-file'
  | 'area-file'
  | 'city-workbook'
  | 'translations'
  | 'document'
/** Reads no file of anybody, but sets type with a native library, which the permission model would refuse. */
const NATIVE_READERS: readonly ForeignReader[] = ['document']

/** Messages from the child process: that it is ready, and the result. */
export type ReaderMessage =
  | { kind: 'ready' }
  | { kind: 'read'; output: unknown }
  | { kind: 'refused'; code: ErrorCode; faults: readonly Fault[] }
  | { kind: 'failed'; message: string }

interface ReaderBounds {
  /** Counted from when the process is ready. */
  seconds: number
  heapMb: number
  /** Resident memory in total, if the system reports it. */
  wholeMb: number
}

const BOUNDS: ReaderBounds = { seconds: 20, heapMb: 256, wholeMb: 512 }
const READY_WITHIN_SECONDS = 60
const LOOK_EVERY_MS = 50
const PAGE_BYTES = 4096
/** Files read at once in a process that serves pages; a single site never takes every place. */
const AT_ONCE = 2
const createBusyError = () => new AppError('unavailable')
const readingLimit = createConcurrencyLimit({ atOnce: AT_ONCE, waiting: 20, full: createBusyError })
const siteQueues = new Map<string, { gate: ConcurrencyLimit; files: number }>()

/**
 * Reads an untrusted file in a child process without secrets or database, with no more time and memory than any honest file needs, and with
 * lower priority than serving pages. The files of each site, or of each
 * portal, are read one after another.
 * @throws {AppError} as the reader does; `invalid` with `file-too-complex` at `/file` if time or memory ran out; `unavailable` if too many
 * files are queued
 */
export async function readInOwnProcess<Output>(reader: ForeignReader, input: unknown, owner: string, bounds = BOUNDS): Promise<Output> {
  const site = siteQueues.get(owner) ?? { gate: createConcurrencyLimit({ atOnce: 1, waiting: 5, full: createBusyError }), files: 0 }
  siteQueues.set(owner, site)
  site.files += 1
  try {
    return (await site.gate(() => readingLimit(() => runReader(reader, input, bounds)))) as Output
  } finally {
    site.files -= 1
    if (site.files === 0) siteQueues.delete(owner)
  }
}

async function runReader(reader: ForeignReader, input: unknown, { seconds, heapMb, wholeMb }: ReaderBounds): Promise<unknown> {
  const child = startReader(reader, heapMb)
  const ended = once(child, 'exit')
  let timer: NodeJS.Timeout | undefined
  let watch: NodeJS.Timeout | undefined
  try {
    return await new Promise<unknown>((settle, fail) => {
      let complaint = ''
      child.stderr?.on('data', (words: Buffer) => (complaint = (complaint + words.toString()).slice(0, 2000)))
      const notStarted = () => fail(new Error(`The process that reads a ${reader} did not start: ${complaint}`))
      let end = notStarted
      const startReading = () => {
        end = () => fail(new AppError('invalid', { faults: [{ code: 'file-too-complex', pointer: '/file' }] }))
        clearTimeout(timer)
        timer = setTimeout(end, seconds * 1000)
        watch = setInterval(() => readResidentMb(child) > wholeMb && end(), LOOK_EVERY_MS)
        child.send(input as object)
      }
      timer = setTimeout(notStarted, READY_WITHIN_SECONDS * 1000)
      child.once('error', fail)
      child.once('exit', () => end())
      child.on('message', (message: ReaderMessage) => {
        if (message.kind === 'ready') startReading()
        else if (message.kind === 'read') settle(message.output)
        else if (message.kind === 'refused') fail(new AppError(message.code, { faults: message.faults }))
        else fail(new Error(message.message))
      })
    })
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
    child.kill('SIGKILL')
    if (child.pid !== undefined) await ended
  }
}

/** The child may read files (its own code), but not write any or start anything. It yields to whatever serves pages. */
function startReader(reader: ForeignReader, heapMb: number): ChildProcess {
  const child = fork(findSourcePath(ENTRY), [reader], {
    env: { NODE_ENV: 'production' },
    execArgv: [
      '--permission',
      '--allow-fs-read=*',
      ...(NATIVE_READERS.includes(reader) ? ['--allow-addons', '--allow-worker'] : []),
      `--max-old-space-size=${heapMb}`,
      '--max-semi-space-size=16',
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has already exited, or the system has no priorities.
  }
  return child
}

/** The process's resident memory; 0 if the system does not report it. */
function readResidentMb({ pid }: ChildProcess): number {
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]
    return (Number(pages) * PAGE_BYTES) / 1_000_000
  } catch {
    return 0
  }
}
