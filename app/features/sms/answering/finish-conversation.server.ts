import { and, eq, isNotNull, lt } from 'drizzle-orm'
import { walkByText } from '#app/features/surveys/sms/by-text.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import type { Answers } from '#app/features/surveys/surveys.schema.ts'
import { loadVersion } from '#app/features/surveys/questionnaire/versions.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { getSealingKeys, unsealSecret } from '#app/server/crypto/seal.ts'
import { textConversations } from '#app/server/db/schema/messages.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { queueMessage } from '../messages.server.ts'
import { type Conversation, buildPhoneSealPlace, sweepConversations } from './conversations.server.ts'
import { createTexterCtx, createNumberToken, createSendKey, type Texter, loadTexter } from './texter.server.ts'

/** How long after the last answer a response counts as abandoned by a process that died, and is stored by the job. */
const ABANDONED_AFTER_MS = 60_000

/**
 * Stores the response of a completed conversation exactly once, tells the texter, and deletes the conversation and with it the number. A
 * second caller finds nothing left to do.
 */
export async function finishConversation(ctx: Ctx, id: string): Promise<void> {
  const own = and(eq(textConversations.siteId, ctx.site.id), eq(textConversations.id, id), isNotNull(textConversations.sealedPhone))
  const found = await ctx.db.read(async (tx) => {
    const [conversation] = await tx.select().from(textConversations).where(own)
    const phone = conversation?.sealedPhone && unsealSecret(getSealingKeys(ctx.runtime), buildPhoneSealPlace(id), conversation.sealedPhone)
    return conversation && phone ? { conversation, texter: await loadTexter(ctx, tx, phone) } : undefined
  })
  if (!found) return
  const { conversation, texter } = found
  const { body, unnamed } = await storeResponse(ctx, conversation, texter)
  await ctx.db.tx(async (tx) => {
    const gone = await tx.delete(textConversations).where(own).returning({ id: textConversations.id })
    if (gone.length === 0) return
    const { language } = conversation
    await queueMessage(ctx, tx, { purpose: 'survey', phone: texter.phone, language, body, userId: null, unnamed })
  })
}

/** @returns the closing text */
async function storeResponse(ctx: Ctx, conversation: Conversation, texter: Texter): Promise<{ body: string; unnamed: boolean }> {
  const { id, surveyId, version, language } = conversation
  const person = createTexterCtx(ctx, texter, language)
  const t = getTranslator(language, 'sms')
  const { definition, survey } = await ctx.db.read(async (tx) => {
    const [row] = await tx
      .select()
      .from(surveys)
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId)))
    return { definition: await loadVersion(tx, ctx.site.id, surveyId, version), survey: row }
  })
  const unnamed = survey?.anonymous ?? true
  const { kept, end } = walkByText(definition, conversation.answers as Answers, id)
  const findEnding = (of: string) => {
    const page = definition.endings?.find((one) => one.id === of)
    return page && getTranslation(page.title, language, ctx.site.locale)
  }
  try {
    const { code } = await submitResponse(person, (tx) => requireVisibleSurvey(person, tx, eq(surveys.id, surveyId)), {
      id,
      sendKey: createSendKey(ctx, id),
      version,
      answers: kept,
      browserToken: createNumberToken(ctx, texter.phone),
      source: 'sms',
    })
    const receipt = unnamed ? [] : [t('ask.receipt', { code, link: buildSiteUrl(ctx, `/${language}/receipt`) })]
    return { body: [findEnding(end) ?? t('ask.thanks', { site: ctx.site.name }), ...receipt].join(' '), unnamed }
  } catch (error) {
    if (!isAppError(error)) throw error
    const of = error.meta?.['end']
    if (error.code === 'quota-full') return { body: (typeof of === 'string' && findEnding(of)) || t('ask.full'), unnamed }
    return { body: error.code === 'already-answered' ? t('ask.answered') : t('ask.closed', { link: buildSiteUrl(ctx, '/') }), unnamed }
  }
}

/**
 * On every site, stores responses whose process died after the last answer, and deletes expired conversations.
 * @returns number of stored responses
 */
export const cleanUpConversations = (runtime: Runtime): Promise<number> => runOnEachSite(runtime, cleanUpSiteConversations)

async function cleanUpSiteConversations(ctx: Ctx): Promise<number> {
  const left = await ctx.db.read((tx) =>
    tx
      .select({ id: textConversations.id })
      .from(textConversations)
      .where(
        and(
          eq(textConversations.siteId, ctx.site.id),
          isNotNull(textConversations.sealedPhone),
          lt(textConversations.updatedAt, new Date(ctx.now().getTime() - ABANDONED_AFTER_MS)),
        ),
      )
      .limit(500),
  )
  for (const { id } of left) await finishConversation(ctx, id)
  await sweepConversations(ctx)
  return left.length
}
