import { and, desc, eq, gt, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import { howToAnswer, questionText } from '#app/features/surveys/sms/asking.server.ts'
import { askedByText, byTextFaults } from '#app/features/surveys/sms/by-text.server.ts'
import { surveyOfKeyword } from '#app/features/surveys/sms/keywords.server.ts'
import { readReply } from '#app/features/surveys/sms/reading.server.ts'
import { hasAnswered, type PlacedSurvey, refusalOf, seeSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { assertOpen } from '#app/features/surveys/responses/submit-response.server.ts'
import type { Answers, Definition } from '#app/features/surveys/surveys.schema.ts'
import { versionOf } from '#app/features/surveys/questionnaire/versions.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { type Keyword, stepOf } from '#app/lib/text-keywords.ts'
import { newId } from '#app/lib/uuid.ts'
import { inLanguage } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { seal, sealingKeys } from '#app/server/crypto/seal.ts'
import type { Tx } from '#app/server/db/client.ts'
import { campaigns, smsMessages, surveys, textConversations } from '#app/server/db/schema.ts'
import { translator } from '#app/server/i18n.ts'
import { siteUrl } from '#app/server/site-url.ts'
import { asTexter, numberToken, phoneHash, type Texter } from './texter.server.ts'

/** Half-answered, a survey waits so long for the next text. */
const RESUMED_WITHIN_MS = 7 * 24 * 3_600_000
/** A phone that answers by itself is not helped without end. */
const MOST_HELP = 5

export type Conversation = typeof textConversations.$inferSelect

/** What a text that belongs to a survey comes to. */
export interface Turn {
  /** What is answered; nothing where help would only go round in circles. */
  reply?: string | undefined
  language: Language
  /** The survey promises to keep no name: neither the number nor the words of its texts are kept. */
  unnamed: boolean
  /** Everything is answered: the response is to be stored, by the conversation's id. */
  finished?: string
}

export const placeOfPhone = (conversationId: string): string => `text-conversations/${conversationId}/phone`

const ofSite = (ctx: Ctx) => eq(textConversations.siteId, ctx.site.id)

/**
 * Takes a text as a step in a survey: a survey's word begins it or goes on with it; else the text answers what was asked last, by a
 * conversation or by a campaign.
 * @param keyword what the text means outside of any survey; YES is an answer inside one
 * @returns undefined where the text belongs to no survey
 */
export async function converse(ctx: Ctx, tx: Tx, texter: Texter, words: string, keyword: Keyword | undefined): Promise<Turn | undefined> {
  const started = keyword ? undefined : await surveyOfKeyword(ctx, tx, words)
  if (started) {
    const { turn } = await begin(ctx, tx, texter, started.surveyId, texter.owner?.language ?? started.language)
    return turn
  }
  const open = await latest(ctx, tx, texter)
  if (open) return step(ctx, tx, texter, open, words, keyword)
  return keyword === 'help' ? undefined : takeUpCampaign(ctx, tx, texter, words)
}

/** Ends whatever a number was answering. */
export async function endConversations(ctx: Ctx, tx: Tx, phone: string): Promise<void> {
  await tx.delete(textConversations).where(and(ofSite(ctx), eq(textConversations.phoneHash, phoneHash(ctx, phone))))
}

/** Removes conversations that nobody went on with in time. */
export async function sweepConversations(ctx: Ctx): Promise<void> {
  await ctx.db.tx((tx) =>
    tx.delete(textConversations).where(and(ofSite(ctx), isNull(textConversations.sealedPhone), lt(textConversations.expiresAt, ctx.now()))),
  )
}

async function latest(ctx: Ctx, tx: Tx, { phone }: Texter, surveyId?: string): Promise<Conversation | undefined> {
  const [row] = await tx
    .select()
    .from(textConversations)
    .where(
      and(
        ofSite(ctx),
        eq(textConversations.phoneHash, phoneHash(ctx, phone)),
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

/** A survey that can be answered by this number now, or what to say instead. */
async function admitted(ctx: Ctx, tx: Tx, texter: Texter, surveyId: string, language: Language): Promise<PlacedSurvey | string> {
  const t = translator(language, 'sms')
  const person = asTexter(ctx, texter, language)
  try {
    const placed = await seeSurvey(person, tx, eq(surveys.id, surveyId))
    assertOpen(placed, newId(), ctx.now())
    if (await refusalOf(person, tx, placed)) {
      const link = siteUrl(ctx, `/${language}/projects/${placed.project.slug}/surveys/${placed.survey.slug}`)
      return t('ask.not-you', { site: ctx.site.name, link })
    }
    const answered = await hasAnswered(person, tx, placed.survey, { browserToken: numberToken(ctx, texter.phone) })
    return answered ? t('ask.answered') : placed
  } catch (error) {
    if (!isAppError(error)) throw error
    return t('ask.closed', { link: siteUrl(ctx, `/${language}/projects`) })
  }
}

/** Begins a survey, or asks again where somebody had come to. */
async function begin(
  ctx: Ctx,
  tx: Tx,
  texter: Texter,
  surveyId: string,
  language: Language,
): Promise<{ turn: Turn; conversation?: Conversation }> {
  const t = translator(language, 'sms')
  const admission = await admitted(ctx, tx, texter, surveyId, language)
  if (typeof admission === 'string') return { turn: { reply: admission, language, unnamed: await isUnnamed(ctx, tx, surveyId) } }
  const { survey } = admission
  const of = { language, unnamed: survey.anonymous }
  const before = await latest(ctx, tx, texter, surveyId)
  if (before) {
    await tx.update(textConversations).set(renewed(ctx)).where(ofConversation(ctx, before))
    return { turn: { ...of, reply: await asking(ctx, tx, before, [t('ask.resumed')]) }, conversation: before }
  }
  const version = survey.publishedVersion ?? 0
  const definition = await versionOf(tx, ctx.site.id, surveyId, version)
  const id = newId()
  const [first] = askedByText(definition, {}, id)
  if (!first || byTextFaults(definition).length > 0) return { turn: { ...of, reply: t('ask.closed', { link: siteUrl(ctx, '/') }) } }
  // What ran out, or is being stored by another text at this moment, makes room.
  const key = { siteId: ctx.site.id, phoneHash: phoneHash(ctx, texter.phone), surveyId }
  const values = { id, version, language, answers: {}, question: first.id, mistakes: 0, sealedPhone: null, ...renewed(ctx) }
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
  const title = inLanguage(survey.title, language, ctx.site.locale)
  const intro = [t('ask.intro', { title }), ...(survey.anonymous ? [t('ask.unnamed')] : [])].join(' ')
  return { turn: { ...of, reply: await asking(ctx, tx, conversation, [intro]) }, conversation }
}

const renewed = (ctx: Ctx) => ({ updatedAt: ctx.now(), expiresAt: new Date(ctx.now().getTime() + RESUMED_WITHIN_MS) })

const ofConversation = (ctx: Ctx, { id }: Pick<Conversation, 'id'>) => and(ofSite(ctx), eq(textConversations.id, id))

async function isUnnamed(ctx: Ctx, tx: Tx, surveyId: string): Promise<boolean> {
  const [row] = await tx
    .select({ anonymous: surveys.anonymous })
    .from(surveys)
    .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId)))
  return row?.anonymous ?? true
}

/** The conversation's question, after what else there is to say. */
async function asking(ctx: Ctx, tx: Tx, conversation: Conversation, before: readonly string[] = []): Promise<string> {
  const { surveyId, version, language, answers, id } = conversation
  const definition = await versionOf(tx, ctx.site.id, surveyId, version)
  const asked = askedByText(definition, answers as Answers, id)
  const question = asked.find((one) => one.id === conversation.question) ?? asked[0]
  return [...before, ...(question ? [questionText(ctx, language, question, definition, answers as Answers)] : [])].join('\n')
}

/** One text in a survey that was begun: an answer, a step back, a question left out, a call for help. */
async function step(
  ctx: Ctx,
  tx: Tx,
  texter: Texter,
  conversation: Conversation,
  words: string,
  keyword: Keyword | undefined,
): Promise<Turn> {
  const { surveyId, language, id } = conversation
  const t = translator(language, 'sms')
  const admission = await admitted(ctx, tx, texter, surveyId, language)
  if (typeof admission === 'string') {
    await tx.delete(textConversations).where(ofConversation(ctx, conversation))
    return { reply: admission, language, unnamed: await isUnnamed(ctx, tx, surveyId) }
  }
  const turn = { language, unnamed: admission.survey.anonymous }
  const change = async (values: Partial<Conversation>): Promise<Conversation> => {
    await tx
      .update(textConversations)
      .set({ ...values, ...renewed(ctx) })
      .where(ofConversation(ctx, conversation))
    return { ...conversation, ...values }
  }
  if (keyword === 'help') return { ...turn, reply: await asking(ctx, tx, await change({}), [t('ask.help')]) }
  const definition = await versionOf(tx, ctx.site.id, surveyId, conversation.version)
  const before = conversation.answers as Answers
  const asked = askedByText(definition, before, id)
  const place = Math.max(
    0,
    asked.findIndex((one) => one.id === conversation.question),
  )
  const question = asked[place]
  if (!question) return { ...turn, reply: t('ask.closed', { link: siteUrl(ctx, '/') }) }
  const said = stepOf(words)
  if (said === 'back') {
    const now = await change({ question: asked[Math.max(0, place - 1)]?.id ?? question.id, mistakes: 0 })
    return { ...turn, reply: await asking(ctx, tx, now, place === 0 ? [t('ask.first')] : []) }
  }
  const skipped = said === 'skip' && !question.required
  const answer = skipped ? undefined : readReply(question, words)
  if (answer === undefined && !skipped) {
    const { mistakes } = await change({ mistakes: conversation.mistakes + 1 })
    return mistakes > MOST_HELP ? turn : { ...turn, reply: [t('ask.mistake'), howToAnswer(ctx, language, question)].join('\n') }
  }
  const { [question.id]: _former, ...others } = before
  const answers: Answers = answer === undefined ? others : { ...others, [question.id]: answer }
  const next = following(definition, answers, id, question.id)
  if (next) return { ...turn, reply: await asking(ctx, tx, await change({ answers, question: next, mistakes: 0 })) }
  await change({ answers, mistakes: 0, sealedPhone: seal(sealingKeys(ctx.runtime), placeOfPhone(id), texter.phone) })
  return { ...turn, finished: id }
}

/** Id of the question after another, now that it is answered; undefined at the end. */
function following(definition: Definition, answers: Answers, id: string, question: string): string | undefined {
  const asked = askedByText(definition, answers, id)
  return asked[asked.findIndex((one) => one.id === question) + 1]?.id
}

/** The latest campaign that asked this number a survey's first question: the text answers it. Each campaign once. */
async function takeUpCampaign(ctx: Ctx, tx: Tx, texter: Texter, words: string): Promise<Turn | undefined> {
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
        gt(smsMessages.createdAt, new Date(ctx.now().getTime() - RESUMED_WITHIN_MS)),
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
  const { turn, conversation } = await begin(ctx, tx, texter, invitation.surveyId, invitation.language)
  return conversation ? step(ctx, tx, texter, conversation, words, undefined) : turn
}
