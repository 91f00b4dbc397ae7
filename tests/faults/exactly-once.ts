import assert from 'node:assert/strict'
import type { Product } from '#tests/support/product.ts'
import { callApi, loadResponseIds, queryAsOwner, signInForToken } from '#tests/support/remote-api.ts'
import { sendResponse, type Writers } from './writers.ts'

/**
 * Everything acknowledged is stored exactly once; everything else can be sent again and is then stored exactly once; and the product's
 * counts match the table.
 * @returns numbers for a sentence
 */
export async function assertExactlyOnce(product: Product, ownerUrl: string, surveyId: string, writers: Writers) {
  const acknowledged = writers.acknowledged()
  const found = await loadResponseIds(ownerUrl, surveyId)
  const stored = new Set(found)
  assert.equal(found.length, stored.size, 'an id is stored twice')
  assert.deepEqual(
    acknowledged.filter((id) => !stored.has(id)),
    [],
    'acknowledged and lost',
  )
  const unanswered = writers.open()
  const halfDone = unanswered.filter((id) => stored.has(id)).length
  for (const id of unanswered) {
    assert.match(
      await sendResponse(product.origin, surveyId, id),
      /^20[01]$/,
      'a response that nobody acknowledged is taken when it is sent again',
    )
  }
  const all = await loadResponseIds(ownerUrl, surveyId)
  assert.equal(all.length, acknowledged.length + unanswered.length, 'each sending is stored exactly once')
  const token = await signInForToken(product, 'site.admin@riverbend.example')
  const survey = await callApi<{ data: { attributes: { responses: number } } }>(product, 'GET', `/surveys/${surveyId}`, token)
  // Those that were sent again came from one address: beyond sixty, they wait for somebody to look.
  const [counted] = await queryAsOwner<{ total: number }>(
    ownerUrl,
    'select count(*)::int as total from responses where survey_id = $1 and counted',
    [surveyId],
  )
  assert.equal(survey.data.attributes.responses, counted?.total, 'the count that is shown is the count of rows')
  return { acknowledged: acknowledged.length, unanswered: unanswered.length, halfDone }
}
