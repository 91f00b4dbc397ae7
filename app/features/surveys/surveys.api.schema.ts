import * as v from 'valibot'
import { browserTokenSchema } from '#app/features/browser-tokens/browser-tokens.schema.ts'
import { MAX_LIST_NAME } from '#app/features/invitations/invitations.schema.ts'
import { revisionFilters, revisionSorting } from '#app/features/revisions/revision-attributes.api.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toMany, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
import { slugSchema } from '#app/lib/slug.ts'
import { suppressibleCountSchema } from '#app/lib/suppressible-count-schema.ts'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { VISIBILITIES } from '#app/lib/vocabulary/projects.ts'
import { IMPORT_FORMATS, SURVEY_ACCESS, SURVEY_STATUSES, SURVEY_VARIANTS } from '#app/lib/vocabulary/surveys.ts'
import { verificationRuleSchema } from '#app/features/verifications/verification-rule.schema.ts'
import { surveyKeywordsSchema } from './sms/by-text.schema.ts'
import { EFFECT_KINDS, EFFECT_SUBJECTS } from './questionnaire/change-effects.ts'
import { ANSWERS_BOUNDS } from './questionnaire/answer-limits.ts'
import { sendKeySchema } from '#app/features/participation/sending.schema.ts'
import { waivedSchema } from '#app/lib/waived-schema.ts'
import { answersSchema, definitionSchema } from './surveys.schema.ts'
import { SURVEY_STATES } from './surveys.views.ts'

const changeable = { create: 'optional', update: true } as const
const writeOnly = { read: false, create: 'required' } as const
const instant = v.nullable(timestampSchema)
const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0))
const toSurvey = toOne('surveys', { create: 'required', nullable: false })

export const surveyShape = resourceShape({
  type: 'surveys',
  summary: 'Surveys of projects',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  body: { bytes: 1_000_000 },
  locked: true,
  can: ['update', 'publish', 'remove', 'seeResponses', 'exportPersonalData', 'invite'],
  attributes: {
    slug: attribute(slugSchema, changeable),
    title: translated({ max: 200, create: 'required', update: true }),
    intro: translated({ max: 5000, ...changeable }),
    thanks: translated({ max: 5000, ...changeable }),
    status: attribute(v.picklist(SURVEY_STATUSES)),
    state: attribute(v.picklist(SURVEY_STATES)),
    /** Who can see its project: an open survey in a hidden project is open to nobody. */
    projectVisibility: attribute(v.picklist(VISIBILITIES)),
    access: attribute(v.picklist(SURVEY_ACCESS), changeable),
    /** The group whose people may answer if `access` is `group`; only for people who may change it. */
    groupId: attribute(v.nullable(idSchema), { read: 'sometimes', ...changeable }),
    /** Whom the survey lets in if `access` is `verified`; null: residents, by any list. */
    verification: attribute(v.nullable(verificationRuleSchema), changeable),
    anonymous: attribute(v.boolean(), changeable),
    variant: attribute(v.picklist(SURVEY_VARIANTS), changeable),
    resultsPublic: attribute(v.boolean(), changeable),
    /** Whether people may change their answers while the survey is open. */
    changeable: attribute(v.boolean(), changeable),
    /** Words that start the survey by text message, each in one language; empty: the survey takes no text messages. */
    smsKeywords: attribute(surveyKeywordsSchema, { read: 'sometimes', ...changeable }),
    opensAt: attribute(instant, changeable),
    closesAt: attribute(instant, changeable),
    minutes: attribute(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(240))), changeable),
    /** The draft, only for people who may change it. Participants answer the newest of `versions`. */
    definition: attribute(definitionSchema, { read: 'sometimes', ...changeable }),
    /** Says why in the history of its questions, such as that an earlier revision was restored. */
    revisionNote: attribute(v.pipe(v.string(), v.trim(), v.maxLength(300)), { read: false, update: true }),
    /** The kind of file it was created from, for people who may change it. */
    importedFrom: attribute(v.nullable(v.picklist(IMPORT_FORMATS)), { read: 'sometimes' }),
    publishedVersion: attribute(v.nullable(v.number())),
    /** The draft differs from the published version. */
    hasChanges: attribute(v.boolean(), { read: 'sometimes' }),
    responses: attribute(v.number(), { figure: 'answers' }),
    updatedAt: attribute(timestampSchema),
  },
  relationships: {
    project: toOne('projects', { create: 'required', nullable: false }),
    versions: toMany('survey-versions', { inverse: 'survey' }),
    answers: toMany('responses', { inverse: 'survey' }),
  },
  filters: {
    project: filter.ids(),
    status: filter.choices(SURVEY_STATUSES),
    q: filter.text(200),
    /** Surveys the viewer may change; false: may not change. */
    managed: filter.flag(),
    /** Surveys that can be started by text message; false: that cannot. */
    byText: filter.flag(),
  },
  sorts: ['title', 'updatedAt', 'closesAt', 'responses'],
  defaultSort: '-updatedAt',
})

/** A published, immutable definition. POST publishes the survey's draft; the id consists of the survey's id and the version number. */
export const surveyVersionShape = resourceShape({
  type: 'survey-versions',
  summary: 'Published versions of a survey, which never change. POST publishes the draft',
  operations: ['list', 'get', 'create'],
  id: v.pipe(v.string(), v.regex(/^[0-9a-f-]{36}\.\d{1,6}$/)),
  attributes: {
    number: attribute(v.number()),
    definition: attribute(definitionSchema),
    publishedAt: attribute(timestampSchema),
    /** Publish even if translations are missing. */
    waiveTranslations: attribute(v.boolean(), { read: false, create: 'optional' }),
    /** Names of texts that are knowingly missing or stale, as the refusal to publish gives them. */
    waived: attribute(waivedSchema, { read: false, create: 'optional' }),
    /** The lock version to publish: refused as `stale` if somebody has saved since. */
    onLockVersion: attribute(v.number(), { read: false, create: 'optional' }),
  },
  relationships: { survey: toSurvey },
  filters: { survey: filter.id() },
  sorts: ['number'],
  defaultSort: '-number',
})

/** A copy of what a survey asked when it was saved or published. PATCH of the survey creates one; restoring one is a PATCH as well. */
export const surveyRevisionShape = resourceShape({
  type: 'survey-revisions',
  summary: 'What was saved of a survey’s questions, for people who may edit it. The newest one is the draft',
  operations: ['list', 'get'],
  attributes: {
    note: attribute(v.string()),
    createdAt: attribute(timestampSchema),
    publishedAt: attribute(instant),
    author: attribute(v.nullable(v.string())),
    /** Number of the published version with the same questions. */
    version: attribute(v.nullable(v.number())),
    /** Only if one revision is read by its id. */
    definition: attribute(definitionSchema, { read: 'sometimes' }),
  },
  relationships: { survey: toOne('surveys'), parent: toOne('survey-revisions') },
  filters: { ...revisionFilters, survey: filter.id() },
  ...revisionSorting,
})

/** What publishing a survey's draft would do to existing answers. The id is the survey's. */
export const surveyChangeShape = resourceShape({
  type: 'survey-changes',
  summary: 'What publishing a survey’s draft would change about existing answers, for people who may edit it',
  operations: ['get'],
  attributes: {
    effects: attribute(
      v.array(
        v.object({
          kind: v.picklist(EFFECT_KINDS),
          of: v.picklist(EFFECT_SUBJECTS),
          question: v.optional(v.string()),
          item: v.optional(v.string()),
          /** Number of existing answers affected. */
          answers: v.number(),
        }),
      ),
    ),
    /** Drafts of responses, which stay on the version they were started on. */
    unfinished: attribute(wholeNumber),
  },
})

/** An archived survey: the id is the survey's. DELETE restores the survey. */
export const surveyArchivalShape = resourceShape({
  type: 'survey-archivals',
  summary: 'Archives a survey. DELETE restores it',
  operations: ['get', 'create', 'remove'],
  attributes: {},
  relationships: { survey: toSurvey },
})

const QUESTION_AND_VALUE = /^[A-Za-z][A-Za-z0-9_-]{0,39}:[A-Za-z0-9_-]{1,40}$/

export const responseShape = resourceShape({
  type: 'responses',
  summary: 'Responses to a survey. Sending one twice with the same id stores it once',
  operations: ['list', 'get', 'create'],
  body: ANSWERS_BOUNDS,
  can: ['erase'],
  clientIds: true,
  attributes: {
    answers: attribute(answersSchema, { create: 'required' }),
    version: attribute(wholeNumber, { create: 'optional' }),
    /** A random key for this one sending. The same id with another key is a conflict. */
    sendKey: attribute(sendKeySchema, writeOnly),
    /** From `browser-tokens`. Required by a survey that accepts one answer per browser, unless an account answers. */
    browserToken: attribute(browserTokenSchema, { read: false, create: 'optional' }),
    /** The code or the personal link's secret, for surveys that only invited people may answer. */
    invitation: attribute(v.pipe(v.string(), v.maxLength(100)), { read: false, create: 'optional' }),
    /** Returned only to the sender, when the response is created. */
    receiptCode: attribute(v.string(), { read: 'sometimes' }),
    language: attribute(contentLanguageSchema),
    source: attribute(v.string()),
    submittedAt: attribute(timestampSchema),
    seconds: attribute(v.nullable(v.number())),
    /** False if unusually many came from one address: it counts once somebody of the team has looked and decided so. */
    counted: attribute(v.boolean()),
    /**
     * Why to check it before relying on it, for people who see responses: unusually many came from one address, or it was sent faster than
     * anyone can read.
     */
    doubt: attribute(v.nullable(v.picklist(['rate', 'haste'])), { read: 'sometimes' }),
    /** Who answered, for people who may see personal data; null if no account is kept. */
    participant: attribute(v.nullable(v.object({ login: v.string(), email: v.string() })), { read: 'sometimes' }),
  },
  relationships: { survey: toSurvey },
  filters: {
    survey: filter.id(),
    language: filter.choices(contentLanguageSchema.options),
    version: filter.number(),
    source: filter.text(20),
    from: filter.timestamp(),
    to: filter.timestamp(),
    /** Responses to check; false: the others. */
    doubtful: filter.flag(),
    /** A question's id and an option's id or a step of its scale: `mode:bus`. */
    answer: filter.custom(v.pipe(v.string(), v.regex(QUESTION_AND_VALUE))),
    q: filter.text(200),
    /**
     * What their senders said about themselves: one option of one question that is not sensitive, as `age:65-74`. It needs `filter[survey]`. For those
     * who see responses and manage people: it finds nothing for others, nor if fewer than five people who answered the survey said so.
     */
    profile: filter.text(130),
  },
  sorts: ['submittedAt', 'seconds'],
  defaultSort: '-submittedAt',
  page: { size: 25, max: 100 },
})

/** Erasure of a response, by people who may and with a reason: its answers are deleted and no longer count. */
export const responseErasureShape = resourceShape({
  type: 'response-erasures',
  summary: 'Erases a response, with a reason for the audit log. Has the id of the response',
  operations: ['create'],
  attributes: {
    reason: attribute(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(500)), { read: false, create: 'required' }),
    erasedAt: attribute(timestampSchema),
  },
  relationships: { response: toOne('responses', { create: 'required' }) },
})

/** A half-finished response under the id that the response will have. Only the account that wrote it can read it again. */
export const responseDraftShape = resourceShape({
  type: 'response-drafts',
  summary: 'Unfinished responses to a survey. The id becomes that of the response',
  operations: ['get', 'put', 'remove'],
  body: ANSWERS_BOUNDS,
  attributes: {
    answers: attribute(answersSchema, { create: 'required' }),
    version: attribute(wholeNumber, { create: 'optional' }),
    sendKey: attribute(sendKeySchema, writeOnly),
    language: attribute(contentLanguageSchema),
    updatedAt: attribute(timestampSchema),
  },
  relationships: { survey: toSurvey },
})

/** Which responses to count; without any of them, all. */
export const cohortFilters = {
  language: filter.choices(contentLanguageSchema.options),
  version: filter.number(),
  source: filter.text(20),
  from: filter.timestamp(),
  to: filter.timestamp(),
  /** One or several, separated by commas: OR within a question, AND between questions. `mode:bus,mode:foot,safe:2` */
  answers: filter.text(500),
}

const countedValuesSchema = v.array(v.object({ value: v.string(), count: suppressibleCountSchema }))

/**
 * How often each value was given, over the people who were asked. The id is the survey's; a list filtered by survey counts a cohort. An
 * area, where participants live, or one option of a question about themselves (`age:65-74`), cannot be combined with other filters, and small numbers are suppressed for everybody.
 */
export const surveyResultShape = resourceShape({
  type: 'survey-results',
  summary: 'Results of a survey, for people who may see its responses',
  operations: ['get', 'list'],
  attributes: {
    responses: attribute(v.number(), { figure: 'surveyAnswers' }),
    medianSeconds: attribute(v.nullable(v.number()), { figure: 'medianTime' }),
    languages: attribute(countedValuesSchema),
    sources: attribute(countedValuesSchema),
    questions: attribute(
      v.array(
        v.object({
          question: v.looseObject({ id: v.string(), type: v.string() }),
          shape: v.string(),
          asked: v.number(),
          answered: suppressibleCountSchema,
          cells: countedValuesSchema,
          hasUnlisted: v.pipe(
            v.optional(v.boolean()),
            v.description('Answers are left out of `cells` or `rows`, since naming them could identify somebody.'),
          ),
          rows: v.array(
            v.object({ value: v.string(), answered: suppressibleCountSchema, cells: countedValuesSchema, mean: v.nullable(v.number()) }),
          ),
          mean: v.nullable(v.number()),
          median: v.nullable(v.number()),
          score: v.nullable(v.number()),
          finding: v.pipe(v.optional(v.string()), v.description('What the figures say, in one sentence in the language of the request.')),
          sample: v.pipe(
            v.optional(
              v.object({
                sent: v.number(),
                population: v.number(),
                list: createTranslatedSchema(MAX_LIST_NAME),
                responses: v.number(),
                ranges: v.array(v.object({ value: v.string(), from: v.number(), until: v.number() })),
                note: v.optional(v.string()),
              }),
            ),
            v.description(
              'Of questions with choices, if every answer came by a letter of one random sample: the letters sent, the people on the list, the ' +
                'answers to the survey, and by answer the 95% interval of its share (Wilson), from 0 to 1.',
            ),
          ),
          outcomes: v.pipe(
            v.optional(
              v.array(
                v.object({
                  title: v.object({ text: v.string(), lang: v.optional(v.string()) }),
                  words: v.string(),
                  href: v.string(),
                }),
              ),
            ),
            v.description('Published decisions that rest on answers to the question, and how far they are.'),
          ),
        }),
      ),
    ),
  },
  relationships: { survey: toOne('surveys') },
  filters: { survey: filter.id(), ...cohortFilters, area: filter.id(), profile: filter.text(130) },
})

/** Cross-tabulates two questions: filter by the survey, and name the questions for the rows and the columns. */
export const crossTableShape = resourceShape({
  type: 'survey-cross-tables',
  summary: 'Cross-table of two questions: how many people gave each pair of answers, of those who answered both',
  operations: ['list'],
  attributes: {
    /** Answered both questions: the base of every share. */
    people: attribute(suppressibleCountSchema),
    rows: attribute(v.array(v.object({ value: v.string(), people: suppressibleCountSchema, cells: countedValuesSchema }))),
    /** Per value of the column question: how many gave it and answered the row question. */
    columns: attribute(countedValuesSchema),
  },
  filters: {
    survey: filter.id(),
    rows: filter.text(40),
    columns: filter.text(40),
    ...cohortFilters,
    area: filter.id(),
    profile: filter.text(130),
  },
})

/** How far participants got with a survey, and how long it took those who sent a response. The id is the survey's. */
export const surveyCompletionShape = resourceShape({
  type: 'survey-completions',
  summary: 'Completion of a survey, for people who may see its responses',
  operations: ['get'],
  attributes: {
    /** People whose answers reached the server, sent or as drafts. */
    started: attribute(suppressibleCountSchema),
    /** Pages of the newest version in order, with how many people answered something there or later. */
    pages: attribute(v.array(v.object({ id: v.string(), title: v.string(), reached: suppressibleCountSchema }))),
    sent: attribute(suppressibleCountSchema),
    /** Places taken in each quota. */
    quotas: attribute(v.array(v.object({ id: v.string(), taken: suppressibleCountSchema }))),
    /** People with an account who sent more than one response, as surveys with the access `anyone` allow. */
    answeredAgain: attribute(suppressibleCountSchema),
    /** Quartiles of the time to finish, in seconds. */
    seconds: attribute(v.nullable(v.object({ quarter: v.number(), half: v.number(), threeQuarters: v.number() }))),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    surveys: typeof surveyShape
    'survey-versions': typeof surveyVersionShape
    'survey-archivals': typeof surveyArchivalShape
    'survey-changes': typeof surveyChangeShape
    responses: typeof responseShape
    'response-erasures': typeof responseErasureShape
    'response-drafts': typeof responseDraftShape
    'survey-revisions': typeof surveyRevisionShape
    'survey-results': typeof surveyResultShape
    'survey-cross-tables': typeof crossTableShape
    'survey-completions': typeof surveyCompletionShape
  }
}
