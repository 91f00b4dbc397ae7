import { and, eq, isNotNull, lt } from 'drizzle-orm'
import { walkByText } from '#app/features/surveys/sms/by-text.server.ts'
import { seeSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import type { Answers } from '#app/features/surveys/surveys.schema.ts'
import { versionOf } from '#app/features/surveys/questionnaire/versions.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { inLanguage } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { sealingKeys, unseal } from '#app/server/crypto/seal.ts'
import { surveys, textConversations } from '#app/server/db/schema.ts'
import { translator } from '#app/server/i18n.ts'
import { onEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { siteUrl } from '#app/server/site-url.ts'
import { queueMessage } from '../messages.server.ts'
import { type Conversation, placeOfPhone, sweepConversations } from './conversations.server.ts'
import { asTexter, numberToken, sendKeyOf, type Texter, texterOf } from './texter.server.ts'

/** What a process left unfinished that died between the last answer and the response is taken up after so long. */
const LEFT_MS = 60_000

/**
 * Stores the response of a conversation that is complete, once, says so to whoever texted, and forgets the conversation and with it the
 * number. Whoever comes second finds nothing left to do.
 */
export async function finishConversation(ctx: Ctx, id: string): Promise<void> {
  const own = and(eq(textConversations.siteId, ctx.site.id), eq(textConversations.id, id), isNotNull(textConversations.sealedPhone))
  const found = await ctx.db.tx(async (tx) => {
    const [conversation] = await tx.select().from(textConversations).where(own)
    const phone = conversation?.sealedPhone && unseal(sealingKeys(ctx.runtime), placeOfPhone(id), conversation.sealedPhone)
    return conversation && phone ? { conversation, texter: await texterOf(ctx, tx, phone) } : undefined
  })
  if (!found) return
  const { conversation, texter } = found
  const { body, unnamed } = await stored(ctx, conversation, texter)
  await ctx.db.tx(async (tx) => {
    const gone = await tx.delete(textConversations).where(own).returning({ id: textConversations.id })
    if (gone.length === 0) return
    const { language } = conversation
    await queueMessage(ctx, tx, { purpose: 'survey', phone: texter.phone, language, body, userId: null, unnamed })
  })
}

/** @returns what to say at the end */
async function stored(ctx: Ctx, conversation: Conversation, texter: Texter): Promise<{ body: string; unnamed: boolean }> {
  const { id, surveyId, version, language } = conversation
  const person = asTexter(ctx, texter, language)
  const t = translator(language, 'sms')
  const { definition, survey } = await ctx.db.tx(async (tx) => {
    const [row] = await tx
      .select()
      .from(surveys)
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId)))
    return { definition: await versionOf(tx, ctx.site.id, surveyId, version), survey: row }
  })
  const unnamed = survey?.anonymous ?? true
  const { kept, end } = walkByText(definition, conversation.answers as Answers, id)
  const ending = (of: string) => {
    const page = definition.endings?.find((one) => one.id === of)
    return page && inLanguage(page.title, language, ctx.site.locale)
  }
  try {
    const { code } = await submitResponse(person, (tx) => seeSurvey(person, tx, eq(surveys.id, surveyId)), {
      id,
      sendKey: sendKeyOf(ctx, id),
      version,
      answers: kept,
      browserToken: numberToken(ctx, texter.phone),
      source: 'sms',
    })
    const receipt = unnamed ? [] : [t('ask.receipt', { code, link: siteUrl(ctx, `/${language}/receipt`) })]
    return { body: [ending(end) ?? t('ask.thanks', { site: ctx.site.name }), ...receipt].join(' '), unnamed }
  } catch (error) {
    if (!isAppError(error)) throw error
    const of = error.meta?.['end']
    if (error.code === 'quota-full') return { body: (typeof of === 'string' && ending(of)) || t('ask.full'), unnamed }
    return { body: error.code === 'already-answered' ? t('ask.answered') : t('ask.closed', { link: siteUrl(ctx, '/') }), unnamed }
  }
}

/** Stores what a process left that died between the last answer and the response, and drops what nobody went on with, on every site. @returns how many were stored */
export const tendConversations = (runtime: Runtime): Promise<number> => onEachSite(runtime, tendOfSite)

async function tendOfSite(ctx: Ctx): Promise<number> {
  const left = await ctx.db.tx((tx) =>
    tx
      .select({ id: textConversations.id })
      .from(textConversations)
      .where(
        and(
          eq(textConversations.siteId, ctx.site.id),
          isNotNull(textConversations.sealedPhone),
          lt(textConversations.updatedAt, new Date(ctx.now().getTime() - LEFT_MS)),
        ),
      )
      .limit(500),
  )
  for (const { id } of left) await finishConversation(ctx, id)
  await sweepConversations(ctx)
  return left.length
}
