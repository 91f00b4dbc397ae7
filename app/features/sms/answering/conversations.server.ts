import { and, desc, eq, gt, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import { formatInstructions, formatQuestion } from '#app/features/surveys/sms/format-question.server.ts'
import { listQuestionsAskedByText, listByTextFaults } from '#app/features/surveys/sms/by-text.server.ts'
import { findSurveyByKeyword } from '#app/features/surveys/sms/keywords.server.ts'
import { parseReply } from '#app/features/surveys/sms/parse-reply.server.ts'
import { hasAnswered, type PlacedSurvey, findRefusal, requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { assertOpen } from '#app/features/surveys/responses/submit-response.server.ts'
import type { Answers, Definition } from '#app/features/surveys/surveys.schema.ts'
import { loadVersion } from '#app/features/surveys/questionnaire/versions.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { type Language, toInterfaceLanguage } from '#app/lib/languages.ts'
import { type Keyword, findStep } from '#app/lib/text-keywords.ts'
import { createId } from '#app/lib/uuid.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { sealSecret, getSealingKeys } from '#app/server/crypto/seal.ts'
import type { Tx } from '#app/server/db/client.ts'
import { campaigns, smsMessages, textConversations } from '#app/server/db/schema/messages.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { createTexterCtx, createNumberToken, hashPhone, type Texter } from './texter.server.ts'

/** A half-answered survey can be resumed for this long. */
const RESUME_WITHIN_MS = 7 * 24 * 3_600_000
/** Stops helping after this many mistakes, since it may be talking to an autoresponder. */
const MAX_MISTAKES_HELPED = 5

export type Conversation = typeof textConversations.$inferSelect

/** The outcome of a text that belongs to a survey. */
export interface ConversationTurn {
  /** The reply; none if further help would only start a loop. */
  reply?: string | undefined
  language: Language
  /** The survey is anonymous: neither the number nor the texts' contents are kept. */
  unnamed: boolean
  /** Id of the conversation if it is complete and its response has to be stored. */
  finished?: string
}

export const buildPhoneSealPlace = (conversationId: string): string => `text-conversations/${conversationId}/phone`

const isOfSite = (ctx: Ctx) => eq(textConversations.siteId, ctx.site.id)

/**
 * Handles a text as a step in a survey: a survey's keyword starts or resumes it; any other text answers the last question, of a
 * conversation or of a campaign.
 * @param keyword the text's meaning outside of any survey; YES is an answer inside one
 * @returns undefined if the text belongs to no survey
 */
export async function handleSurveyText(
  ctx: Ctx,
  tx: Tx,
  texter: Texter,
  words: string,
  keyword: Keyword | undefined,
): Promise<ConversationTurn | undefined> {
  const started = keyword ? undefined : await findSurveyByKeyword(ctx, tx, words)
  if (started) {
    const { turn } = await beginSurvey(ctx, tx, texter, started.surveyId, texter.owner?.language ?? started.language)
    return turn
  }
  const open = await findLatestConversation(ctx, tx, texter)
  if (open) return handleStep(ctx, tx, texter, open, words, keyword)
  return keyword === 'help' ? undefined : answerCampaign(ctx, tx, texter, words)
}

export async function endConversations(ctx: Ctx, tx: Tx, phone: string): Promise<void> {
  await tx.delete(textConversations).where(and(isOfSite(ctx), eq(textConversations.phoneHash, hashPhone(ctx, phone))))
}

export async function sweepConversations(ctx: Ctx): Promise<void> {
  await ctx.db.tx((tx) =>
    tx
      .delete(textConversations)
      .where(and(isOfSite(ctx), isNull(textConversations.sealedPhone), lt(textConversations.expiresAt, ctx.now()))),
  )
}

async function findLatestConversation(ctx: Ctx, tx: Tx, { phone }: Texter, surveyId?: string): Promise<Conversation | undefined> {
  const [row] = await tx
    .select()
    .from(textConversations)
    .where(
      and(
        isOfSite(ctx),
        eq(textConversations.phoneHash, hashPhone(ctx, phone)),
        surveyId ? eq(textConversations.surveyId, surveyId) : undefined,
        gt(textConversations.expiresAt, ctx.now()),
        isNull(textConversations.sealedPhone),
      ),
    )
    .orderBy(desc(textConversations.updatedAt))
    .limit(1)
    .for('update')
  return row
}

/** The survey if this number can answer it now; otherwise the text to reply with. */
async function checkAdmission(ctx: Ctx, tx: Tx, texter: Texter, surveyId: string, language: Language): Promise<PlacedSurvey | string> {
  const t = getTranslator(language, 'sms')
  const person = createTexterCtx(ctx, texter, language)
  try {
    const placed = await requireVisibleSurvey(person, tx, eq(surveys.id, surveyId))
    assertOpen(placed, createId(), ctx.now())
    if (await findRefusal(person, tx, placed)) {
      const link = buildSiteUrl(ctx, `/${language}/projects/${placed.project.slug}/surveys/${placed.survey.slug}`)
      return t('ask.not-you', { site: ctx.site.name, link })
    }
    const answered = await hasAnswered(person, tx, placed.survey, { browserToken: createNumberToken(ctx, texter.phone) })
    return answered ? t('ask.answered') : placed
  } catch (error) {
    if (!isAppError(error)) throw error
    return t('ask.closed', { link: buildSiteUrl(ctx, `/${language}/projects`) })
  }
}

/** Starts a survey, or repeats the current question if it has been started. */
async function beginSurvey(
  ctx: Ctx,
  tx: Tx,
  texter: Texter,
  surveyId: string,
  language: Language,
): Promise<{ turn: ConversationTurn; conversation?: Conversation }> {
  const t = getTranslator(language, 'sms')
  const admission = await checkAdmission(ctx, tx, texter, surveyId, language)
  if (typeof admission === 'string') return { turn: { reply: admission, language, unnamed: await isAnonymousSurvey(ctx, tx, surveyId) } }
  const { survey } = admission
  const of = { language, unnamed: survey.anonymous }
  const before = await findLatestConversation(ctx, tx, texter, surveyId)
  if (before) {
    await tx.update(textConversations).set(buildExpiry(ctx)).where(isConversation(ctx, before))
    return { turn: { ...of, reply: await formatNextQuestion(ctx, tx, before, [t('ask.resumed')]) }, conversation: before }
  }
  const version = survey.publishedVersion ?? 0
  const definition = await loadVersion(tx, ctx.site.id, surveyId, version)
  const id = createId()
  const [first] = listQuestionsAskedByText(definition, {}, id)
  if (!first || listByTextFaults(definition).length > 0)
    return { turn: { ...of, reply: t('ask.closed', { link: buildSiteUrl(ctx, '/') }) } }
  // Replaces a conversation that expired or is being stored by another text right now.
  const key = { siteId: ctx.site.id, phoneHash: hashPhone(ctx, texter.phone), surveyId }
  const values = { id, version, language, answers: {}, question: first.id, mistakes: 0, sealedPhone: null, ...buildExpiry(ctx) }
  const [conversation] = await tx
    .insert(textConversations)
    .values({ ...key, ...values })
    .onConflictDoUpdate({
      target: [textConversations.siteId, textConversations.phoneHash, textConversations.surveyId],
      set: values,
      setWhere: isNull(textConversations.sealedPhone),
    })
    .returning()
  if (!conversation) return { turn: of }
  const title = getTranslation(survey.title, language, ctx.site.locale)
  const intro = [t('ask.intro', { title }), ...(survey.anonymous ? [t('ask.unnamed')] : [])].join(' ')
  return { turn: { ...of, reply: await formatNextQuestion(ctx, tx, conversation, [intro]) }, conversation }
}

const buildExpiry = (ctx: Ctx) => ({ updatedAt: ctx.now(), expiresAt: new Date(ctx.now().getTime() + RESUME_WITHIN_MS) })

const isConversation = (ctx: Ctx, { id }: Pick<Conversation, 'id'>) => and(isOfSite(ctx), eq(textConversations.id, id))

async function isAnonymousSurvey(ctx: Ctx, tx: Tx, surveyId: string): Promise<boolean> {
  const [row] = await tx
    .select({ anonymous: surveys.anonymous })
    .from(surveys)
    .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId)))
  return row?.anonymous ?? true
}

/** Formats the conversation's current question, after any preceding remarks. */
async function formatNextQuestion(ctx: Ctx, tx: Tx, conversation: Conversation, before: readonly string[] = []): Promise<string> {
  const { surveyId, version, language, answers, id } = conversation
  const definition = await loadVersion(tx, ctx.site.id, surveyId, version)
  const asked = listQuestionsAskedByText(definition, answers as Answers, id)
  const question = asked.find((one) => one.id === conversation.question) ?? asked[0]
  return [...before, ...(question ? [formatQuestion(ctx, language, question, definition, answers as Answers)] : [])].join('\n')
}

/** Handles one text in a survey in progress: an answer, a step back, a skip or a request for help. */
async function handleStep(
  ctx: Ctx,
  tx: Tx,
  texter: Texter,
  conversation: Conversation,
  words: string,
  keyword: Keyword | undefined,
): Promise<ConversationTurn> {
  const { surveyId, language, id } = conversation
  const t = getTranslator(language, 'sms')
  const admission = await checkAdmission(ctx, tx, texter, surveyId, language)
  if (typeof admission === 'string') {
    await tx.delete(textConversations).where(isConversation(ctx, conversation))
    return { reply: admission, language, unnamed: await isAnonymousSurvey(ctx, tx, surveyId) }
  }
  const turn = { language, unnamed: admission.survey.anonymous }
  const updateConversation = async (values: Partial<Conversation>): Promise<Conversation> => {
    await tx
      .update(textConversations)
      .set({ ...values, ...buildExpiry(ctx) })
      .where(isConversation(ctx, conversation))
    return { ...conversation, ...values }
  }
  if (keyword === 'help') return { ...turn, reply: await formatNextQuestion(ctx, tx, await updateConversation({}), [t('ask.help')]) }
  const definition = await loadVersion(tx, ctx.site.id, surveyId, conversation.version)
  const before = conversation.answers as Answers
  const asked = listQuestionsAskedByText(definition, before, id)
  const place = Math.max(
    0,
    asked.findIndex((one) => one.id === conversation.question),
  )
  const question = asked[place]
  if (!question) return { ...turn, reply: t('ask.closed', { link: buildSiteUrl(ctx, '/') }) }
  const said = findStep(words)
  if (said === 'back') {
    const now = await updateConversation({ question: asked[Math.max(0, place - 1)]?.id ?? question.id, mistakes: 0 })
    return { ...turn, reply: await formatNextQuestion(ctx, tx, now, place === 0 ? [t('ask.first')] : []) }
  }
  const skipped = said === 'skip' && !question.required
  const answer = skipped ? undefined : parseReply(question, words)
  if (answer === undefined && !skipped) {
    const { mistakes } = await updateConversation({ mistakes: conversation.mistakes + 1 })
    return mistakes > MAX_MISTAKES_HELPED
      ? turn
      : { ...turn, reply: [t('ask.mistake'), formatInstructions(ctx, language, question)].join('\n') }
  }
  const { [question.id]: _former, ...others } = before
  const answers: Answers = answer === undefined ? others : { ...others, [question.id]: answer }
  const next = findNextQuestion(definition, answers, id, question.id)
  if (next) return { ...turn, reply: await formatNextQuestion(ctx, tx, await updateConversation({ answers, question: next, mistakes: 0 })) }
  await updateConversation({
    answers,
    mistakes: 0,
    sealedPhone: sealSecret(getSealingKeys(ctx.runtime), buildPhoneSealPlace(id), texter.phone),
  })
  return { ...turn, finished: id }
}

/** Id of the next question after an answered one; undefined at the end. */
function findNextQuestion(definition: Definition, answers: Answers, id: string, question: string): string | undefined {
  const asked = listQuestionsAskedByText(definition, answers, id)
  return asked[asked.findIndex((one) => one.id === question) + 1]?.id
}

/** Takes the text as the answer to the latest campaign that sent this number a survey's first question. Each campaign once. */
async function answerCampaign(ctx: Ctx, tx: Tx, texter: Texter, words: string): Promise<ConversationTurn | undefined> {
  const [invitation] = await tx
    .select({ id: smsMessages.id, language: smsMessages.language, surveyId: campaigns.surveyId })
    .from(smsMessages)
    .innerJoin(
      campaigns,
      and(eq(campaigns.siteId, smsMessages.siteId), eq(campaigns.id, smsMessages.campaignId), isNotNull(campaigns.surveyId)),
    )
    .where(
      and(
        eq(smsMessages.siteId, ctx.site.id),
        eq(smsMessages.phone, texter.phone),
        eq(smsMessages.takenUp, false),
        inArray(smsMessages.status, ['sending', 'accepted', 'delivered']),
        gt(smsMessages.createdAt, new Date(ctx.now().getTime() - RESUME_WITHIN_MS)),
      ),
    )
    .orderBy(desc(smsMessages.createdAt))
    .limit(1)
    .for('update', { of: smsMessages })
  if (!invitation?.surveyId) return undefined
  await tx
    .update(smsMessages)
    .set({ takenUp: true })
    .where(and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.id, invitation.id)))
  const { turn, conversation } = await beginSurvey(
    ctx,
    tx,
    texter,
    invitation.surveyId,
    toInterfaceLanguage(invitation.language, ctx.site.locale),
  )
  return conversation ? handleStep(ctx, tx, texter, conversation, words, undefined) : turn
}
