import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { listDescendants } from '#tests/support/process-tree.ts'

/** Milliseconds of processor time, user and system. */
export interface Cost {
  web: number
  database: number
}

/** Processor time of a web process and of its database, exact to the microsecond: too exact for the clock ticks of `readProcessorTime`. */
export class CostMeter {
  readonly #pid: number
  /** Nanoseconds by thread, also of those that have ended. */
  readonly #threads = { web: new Map<string, number>(), database: new Map<string, number>() }

  constructor(pid: number) {
    this.#pid = pid
  }

  read(): Cost {
    const { web, database } = this.#threads
    readThreads(this.#pid, web)
    for (const { pid, command } of listDescendants(this.#pid)) if (command.startsWith('postgres:')) readThreads(pid, database)
    return { web: sum(web), database: sum(database) }
  }
}

const sum = (threads: ReadonlyMap<string, number>): number => [...threads.values()].reduce((total, one) => total + one, 0) / 1e6

/** The first number of `schedstat`: nanoseconds on a processor. */
function readThreads(pid: number, into: Map<string, number>): void {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`))
      into.set(thread, Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]))
  } catch {
    // It ended meanwhile.
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

export interface Reply {
  status: number
  type: string
}

/** Over a connection that stays open. The body is read and dropped. */
export function sendRequest(port: number, path: string, headers: Record<string, string>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers, agent }, (answer) => {
      answer.resume()
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '' }))
    })
      .on('error', reject)
      .end()
  })
}
