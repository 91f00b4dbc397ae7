import { rm } from 'node:fs/promises'
import { ensureBuilt, type Product, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { getOwnerUrl, signInForToken } from '#tests/support/remote-api.ts'

/** The running product that measurements share: the demo on an embedded database of its own, on loopback. */
export interface BenchSetup {
  product: Product
  dataDir: string
  settings: Record<string, string>
  /** A participant's token. */
  participant: string
  /** A site administrator's token. */
  administrator: string
  /** Connection string of the embedded database's owner, for baselines that speak to it directly. */
  databaseUrl: string
  /** Less of everything, for a look while working: `npm run bench -- --short`. */
  short: boolean
  /** Stops the product and starts it again on the same data. */
  restart: () => Promise<void>
}

/**
 * Behind one proxy, as in production: each client of a measurement is somebody else by its `x-forwarded-for`. The portal that city data are
 * copied from is on this machine.
 */
const SETTINGS = { LOG_LEVEL: 'warn', TRUSTED_PROXIES: '1', OUTGOING_LOOPBACK: '1' }

/** Builds if needed, starts the product with its demo, lends it to `work`, and leaves nothing behind. */
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
