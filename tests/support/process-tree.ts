import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface RunningProcess {
  pid: number
  parent: number
  command: string
}

/** All processes below another, at any depth. */
export function listDescendants(pid: number): RunningProcess[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []))
  const found: RunningProcess[] = []
  for (let parents = new Set([pid]); parents.size > 0;) {
    const children = all.filter(({ parent }) => parents.has(parent))
    found.push(...children)
    parents = new Set(children.map((child) => child.pid))
  }
  return found
}

/** Empty if it has ended meanwhile. */
function readProcess(pid: number): RunningProcess[] {
  try {
    // Its name, in brackets, may hold anything.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return state === 'Z' ? [] : [{ pid, parent: Number(parent), command }]
  } catch {
    return []
  }
}

/** As `/proc/net/tcp` names them. */
const STATES = { listening: '0A', established: '01' }

/** True once it accepts connections at a port. */
export const isListening = (pid: number, port: number): boolean => countSockets(pid, port, 'listening') > 0

/** How many sockets of a process are in this state at a port of its own. */
export function countSockets(pid: number, port: number, wanted: keyof typeof STATES): number {
  const lines = ['tcp', 'tcp6'].flatMap((kind) => readFileSync(`/proc/net/${kind}`, 'utf8').split('\n').slice(1))
  const sockets = new Set(
    lines.flatMap((line) => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      return state === STATES[wanted] && parseInt(local.split(':')[1] ?? '', 16) === port ? [`socket:[${inode}]`] : []
    }),
  )
  try {
    return readdirSync(`/proc/${pid}/fd`).filter((fd) => sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`))).length
  } catch {
    // It has just ended, or closed one of its files.
    return 0
  }
}
