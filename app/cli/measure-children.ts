import { readdir, readFile } from 'node:fs/promises'

type Kind = 'database' | 'job'

/** Bytes of memory of the processes below `root` that cannot say it themselves. Nothing where there is no `/proc`. */
export async function measureChildren(root: number): Promise<Partial<Record<Kind, number>>> {
  const found: Partial<Record<Kind, number>> = {}
  const measureBelow = async (pid: number, above: Kind | undefined): Promise<void> => {
    for (const child of await listChildren(pid)) {
      const kind = above ?? (await findKind(child))
      if (kind) found[kind] = (found[kind] ?? 0) + (await readMemory(child))
      await measureBelow(child, kind)
    }
  }
  await measureBelow(root, undefined)
  return found
}

async function listChildren(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(tasks.map((task) => readProc(`${pid}/task/${task}/children`)))
  return lists.flatMap((list) => list.trim().split(' ').filter(Boolean).map(Number))
}

async function findKind(pid: number): Promise<Kind | undefined> {
  const [command = '', ...words] = (await readProc(`${pid}/cmdline`)).split('\0')
  if (/(^|\/)postgres(:|$)/.test(command)) return 'database'
  return words.some((word) => word.endsWith('job-process.ts')) ? 'job' : undefined
}

/** Its share of what it shares with others, so that a sum counts nothing twice. */
async function readMemory(pid: number): Promise<number> {
  const share = /^Pss:\s+(\d+) kB/m.exec(await readProc(`${pid}/smaps_rollup`))?.[1]
  return Number(share ?? 0) * 1024
}

/** A process may end at any moment. */
const readProc = (path: string) => readFile(`/proc/${path}`, 'utf8').catch(() => '')
