import { rm } from 'node:fs/promises'
import { ensureBuilt, type Product, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { getOwnerUrl, signInForToken } from '#tests/support/remote-api.ts'

/** The running product shared by all measurements: the demo on its own embedded database, on loopback. */
export interface BenchSetup {
  product: Product
  dataDir: string
  settings: Record<string, string>
  /** A participant's token. */
  participant: string
  /** A site administrator's token. */
  administrator: string
  /** Connection string of the embedded database's owner, for baselines that use it directly. */
  databaseUrl: string
  /** A reduced run while working: `npm run bench -- --short`. */
  short: boolean
  /** Restarts the product on the same data. */
  restart: () => Promise<void>
}

/** Behind one proxy, as in production: every client has its own address in `x-forwarded-for`. The city data portal is on this machine. */
const SETTINGS = { LOG_LEVEL: 'warn', TRUSTED_PROXIES: '1', OUTGOING_LOOPBACK: '1' }

/** Builds if needed, starts the product with its demo for the duration of `work`, and cleans up. */
export async function withBenchSetup<T>(short: boolean, work: (ground: BenchSetup) => Promise<T>): Promise<T> {
  await ensureBuilt()
  const dataDir = temporaryFolder('bench')
  const settings = { ...SETTINGS, DATA_DIR: dataDir }
  const product = await startProduct(settings)
  const ground: BenchSetup = {
    product,
    dataDir,
    settings,
    participant: await signInForToken(product, 'participant@riverbend.example'),
    administrator: await signInForToken(product, 'site.admin@riverbend.example'),
    databaseUrl: getOwnerUrl(dataDir),
    short,
    restart: async () => {
      await ground.product.stop()
      ground.product = await startProduct(settings)
      ground.databaseUrl = getOwnerUrl(dataDir)
    },
  }
  try {
    return await work(ground)
  } finally {
    await ground.product.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
