import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureBuilt, type Product, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { makeSurvey, signInForToken } from '#tests/support/remote-api.ts'

export interface FaultSetup {
  dataDir: string
  settings: Record<string, string>
  surveyId: string
}

let template: Promise<{ dataDir: string; surveyId: string }> | undefined

/** The demo with a survey of twelve questions: created once, stopped, and copied for each fault. */
async function makeTemplate(): Promise<{ dataDir: string; surveyId: string }> {
  await ensureBuilt()
  const dataDir = temporaryFolder('faults')
  const product = await startProduct({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  try {
    const surveyId = await makeSurvey(product, await signInForToken(product, 'site.admin@riverbend.example'))
    return { dataDir, surveyId }
  } finally {
    await product.stop()
  }
}

/** Gives `work` its own data directory, with no product running on it yet. @param inside where to create it, for faults of a disk */
export async function withFaultSetup<T>(work: (ground: FaultSetup) => Promise<T>, inside?: string): Promise<T> {
  template ??= makeTemplate()
  const { dataDir: from, surveyId } = await template
  const folder = inside ?? temporaryFolder('fault')
  const dataDir = join(folder, 'data')
  // Keep owners and permissions, which the database insists on.
  if (spawnSync('cp', ['-a', from, dataDir]).status !== 0) throw new Error(`${from} could not be copied to ${dataDir}`)
  // A copy that is only in the system's memory is lost with the power, and no database is to blame for that.
  if (spawnSync('sync', ['-f', dataDir]).status !== 0) throw new Error(`${dataDir} could not be written to its disk`)
  try {
    return await work({ dataDir, surveyId, settings: { DATA_DIR: dataDir, LOG_LEVEL: 'warn', TRUSTED_PROXIES: '1' } })
  } finally {
    if (!inside) await rm(folder, { recursive: true, force: true })
  }
}

/** Gives `work` a running product and expects it to stop cleanly afterwards, whatever was done to it. */
export async function withProduct<T>(settings: Record<string, string>, work: (product: Product) => Promise<T>): Promise<T> {
  const product = await startProduct(settings)
  let result: T
  try {
    result = await work(product)
  } catch (error) {
    await product.stop()
    throw new Error(`the product said:\n${product.output().slice(-2000)}`, { cause: error })
  }
  assert.equal(await product.stop(), 0, `it does not stop cleanly:\n${product.output()}`)
  return result
}

/** Removes the template behind `withFaultSetup`. */
export async function removeTemplate(): Promise<void> {
  if (template) await rm((await template).dataDir, { recursive: true, force: true })
}

/** True if the product's own health check says that its database answers. */
export async function isDatabaseUp(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
  return ((await answer?.json()) as { database?: string } | undefined)?.database === 'up'
}
