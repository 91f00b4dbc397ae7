import { setTimeout as wait } from 'node:timers/promises'
import { listDescendants } from '#tests/support/process-tree.ts'
import type { Product } from '#tests/support/product.ts'
import type { Machines } from './machines.ts'

/** Starts a node of Parley again, with the settings it had. */
export interface Node {
  product: Product
  start: () => Promise<void>
}

export interface Cluster {
  machines: Machines
  web: readonly [Node, Node]
  jobs: Node
}

export interface ClusterFault {
  name: string
  /** A write may wait so long, in seconds. */
  bound: number
  /** True where the connections of people may be cut off, because what they lead to dies. */
  cutsOff?: true
  /** Does it, and returns when everything is there again. */
  run: (cluster: Cluster) => Promise<void>
}

const ETCD_AWAY_MS = 15_000
const FROZEN_MS = 30_000
/** How long an operator takes to switch a dead machine on again, in a hurry. */
const SWITCHED_ON_AFTER_MS = 5000

const kill = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // It ended with one of the others.
    }
}

/** A node with every process that it started, as if its machine were switched off. */
async function killNode({ product }: Node): Promise<void> {
  const pid = product.process.pid ?? 0
  kill([pid, ...listDescendants(pid).map((one) => one.pid)], 'SIGKILL')
  await product.ended
}

async function killDatabaseMachine({ machines }: Cluster, which: 'primary' | 'standby'): Promise<void> {
  const primary = await machines.waitForPrimary()
  const server = which === 'primary' ? primary : await machines.waitForStandby()
  kill(machines.processesOf(server), 'SIGKILL')
  await machines.waitForPrimary(which === 'primary' ? server : undefined)
  await wait(SWITCHED_ON_AFTER_MS)
  machines.startServer(server)
  await machines.waitForStandby()
}

export const CLUSTER_FAULTS: readonly ClusterFault[] = [
  {
    name: 'the server that takes writes is killed',
    bound: 10,
    async run({ machines }) {
      kill([machines.postmasterOf(await machines.waitForPrimary())], 'SIGKILL')
      await wait(1000)
      await machines.waitForPrimary()
      await machines.waitForStandby()
    },
  },
  { name: 'the machine of the server that takes writes dies', bound: 25, run: (cluster) => killDatabaseMachine(cluster, 'primary') },
  {
    name: 'another server takes over, as asked',
    bound: 10,
    async run({ machines }) {
      const primary = await machines.waitForPrimary()
      machines.switchOver(primary, await machines.waitForStandby())
      await machines.waitForPrimary(primary)
      await machines.waitForStandby()
    },
  },
  { name: 'the machine of the synchronous standby dies', bound: 10, run: (cluster) => killDatabaseMachine(cluster, 'standby') },
  {
    name: 'etcd is away for 15 seconds',
    bound: 10,
    async run({ machines }) {
      kill([machines.running.get('etcd')?.pid ?? 0], 'SIGKILL')
      await wait(ETCD_AWAY_MS)
      machines.startEtcd()
      await machines.waitForPrimary()
      await machines.waitForStandby()
    },
  },
  {
    name: 'both standbys stand still for 30 seconds',
    bound: FROZEN_MS / 1000 + 10,
    async run({ machines }) {
      const primary = await machines.waitForPrimary()
      const frozen = machines.servers.filter(({ name }) => name !== primary.name).flatMap((server) => machines.databaseProcessesOf(server))
      kill(frozen, 'SIGSTOP')
      await wait(FROZEN_MS)
      kill(frozen, 'SIGCONT')
      await machines.waitForPrimary()
      await machines.waitForStandby()
    },
  },
  {
    name: 'the pool is restarted',
    bound: 10,
    async run({ machines }) {
      kill([machines.running.get('pgbouncer')?.pid ?? 0], 'SIGKILL')
      await wait(2000)
      await machines.startPool()
    },
  },
  {
    name: 'a node that serves dies',
    bound: 10,
    cutsOff: true,
    async run({ web: [node] }) {
      await killNode(node)
      await wait(SWITCHED_ON_AFTER_MS)
      await node.start()
    },
  },
  {
    name: 'the node that runs the jobs dies',
    bound: 10,
    async run({ jobs }) {
      await killNode(jobs)
      await wait(SWITCHED_ON_AFTER_MS)
      await jobs.start()
    },
  },
  {
    name: 'both nodes that serve are restarted, one after the other',
    bound: 10,
    async run({ web }) {
      for (const node of web) {
        await node.product.stop()
        await node.start()
        // Until the proxy has seen that it is back.
        await wait(3000)
      }
    },
  },
]
