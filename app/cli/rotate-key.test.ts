import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { openSettings } from '#app/features/marketplace/installation-settings.server.ts'
import { requireContribution } from '#app/features/surveys/responses/receipts.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { addSecret } from '#app/server/db/embedded-postgres.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { readKeys, getSecretFile, readSigningSecret } from './prepare.ts'
import { resealAll } from './rotate-key.ts'

const runtime = await createTestRuntime()
const NEW = 'another secret key of at least 32 characters'

test('reseals credentials under the new key, and only that opens them; receipts still work with the first', async () => {
  const site = await addSite(runtime)
  const ctx = createCtx(runtime, site)
  const api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  const settings = { address: 'https://hooks.example.org/x' }
  const made = await api.post('/installations', buildResourceDocument('installations', { integration: 'webhooks', settings }))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const row = async () => {
    const [found] = await ctx.db.tx((tx) => tx.select().from(installations).where(eq(installations.siteId, site.id)))
    if (!found) throw new Error('The installation is gone')
    return found
  }
  const survey = await addSurvey(runtime, site)
  const sending = { id: createId(), sendKey: 'k'.repeat(22), answers: { name: 'Fern Street' } }
  const send = (at: typeof ctx) => submitResponse(at, (tx) => requireVisibleSurvey(at, tx, eq(surveys.id, survey.id)), sending)
  const { code } = await send(ctx)
  const secret = openSettings(ctx, await row())['signingSecret']
  expect(secret).toMatch(/^whsec_/)

  // After the restart with both keys nothing is lost, even before anything is resealed.
  const both = { ...runtime, keys: [NEW, runtime.secret] }
  expect(openSettings({ runtime: both }, await row())['signingSecret']).toBe(secret)
  expect(await resealAll(runtime.database, both.keys)).toEqual({ sealed: 1, lost: 0 })
  const after = await row()
  expect(openSettings({ runtime: both }, after)['signingSecret']).toBe(secret)
  expect(openSettings({ runtime: { ...runtime, keys: [NEW] } }, after)['signingSecret']).toBe(secret)
  expect(openSettings({ runtime: { ...runtime, keys: [runtime.secret] } }, after)['signingSecret']).toBeUndefined()
  // A second run changes nothing; what no key opens is counted and left as it is.
  expect(await resealAll(runtime.database, both.keys)).toEqual({ sealed: 1, lost: 0 })
  expect((await row()).sealedSecrets).toBe(after.sealedSecrets)
  expect(await resealAll(runtime.database, [runtime.secret])).toEqual({ sealed: 0, lost: 1 })
  expect((await row()).sealedSecrets).toBe(after.sealedSecrets)

  const later = createCtx(both, site)
  expect(await send(later)).toMatchObject({ code, stored: false })
  expect(await requireContribution(later, code)).toBeTruthy()
})

test('a new key is written before the others; the first key keeps signing', () => {
  const dir = mkdtempSync(join(tmpdir(), 'parley-keys-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const env = { DATA_DIR: dir, SECRET_KEY: undefined, FORMER_SECRET_KEYS: undefined }
  const first = readSigningSecret(env)
  addSecret(getSecretFile(env))
  addSecret(getSecretFile(env))
  expect(readKeys(env)).toHaveLength(3)
  expect(new Set(readKeys(env)).size).toBe(3)
  expect(readSigningSecret(env)).toBe(first)
  expect(readFileSync(getSecretFile(env), 'utf8')).toMatch(/^([0-9a-f]{64}\n){3}$/)
  expect(statSync(getSecretFile(env)).mode & 0o777).toBe(0o600)
  expect(readKeys({ ...env, SECRET_KEY: 'b', FORMER_SECRET_KEYS: ['a'] })).toEqual(['b', 'a'])
  expect(readSigningSecret({ ...env, SECRET_KEY: 'b', FORMER_SECRET_KEYS: ['a'] })).toBe('a')
})
