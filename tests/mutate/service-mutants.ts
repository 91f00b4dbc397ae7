import type { Mutant } from './mutant.ts'

const HOLD_BACK = 'app/features/sms/hold-back.server.ts'
const RECEIVE = 'app/features/sms/receive-messages.server.ts'
const SUBMIT = 'app/features/surveys/responses/submit-response.server.ts'
const QUOTAS = 'app/features/surveys/responses/quotas.server.ts'
const WEBHOOK_SIGNATURE = 'app/features/marketplace/webhooks/webhook-signature.server.ts'
const PAGE_KEY = 'app/serve/page-key.ts'
const POLICY = 'app/serve/content-policy.ts'

const TEXTS = ['app/features/sms']
const REMINDERS = ['app/features/events/signing-up/text-reminder.test.ts']
const WEBHOOKS = ['app/features/marketplace/webhooks']
const OUTGOING = ['app/server/outgoing']
const RESPONSES = ['tests/api/survey-intake.test.ts', 'app/features/surveys/responses/submit-response.test.ts', 'tests/api/surveys.test.ts']
const CONDITIONS = ['app/features/surveys/import/import-conditions.test.ts']
const PAGE_KEYS = ['app/serve/page-key.test.ts']
const POLICIES = ['app/serve/content-policy.test.ts']

/** What goes out and comes in: text messages, webhooks, responses, pages. */
export const SERVICE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a campaign’s text goes to somebody who sent STOP',
    file: HOLD_BACK,
    from: 'if (!consent || unreachable.has(id))',
    to: 'if (unreachable.has(id))',
    tests: TEXTS,
  },
  {
    name: 'a campaign’s text goes to somebody blocked',
    file: HOLD_BACK,
    from: 'if (!consent || unreachable.has(id))',
    to: 'if (!consent)',
    tests: TEXTS,
  },
  {
    name: 'a survey’s text goes to somebody who sent STOP',
    file: HOLD_BACK,
    from: 'return consent === false || unreachable.has(id) ?',
    to: 'return consent === undefined || unreachable.has(id) ?',
    tests: TEXTS,
  },
  {
    name: 'a cancelled campaign is sent',
    file: HOLD_BACK,
    from: "if (status === undefined || status === 'cancelled')",
    to: 'if (status === undefined)',
    tests: TEXTS,
  },
  {
    name: 'a paused campaign is sent',
    file: HOLD_BACK,
    from: "  if (status === 'paused') return { status: 'waiting', nextAttemptAt: null }\n",
    to: '',
    tests: TEXTS,
  },
  {
    name: 'texts go out in quiet hours',
    file: HOLD_BACK,
    from: "const later = quietEnd && ({ status: 'waiting', nextAttemptAt: quietEnd } as const)",
    to: 'const later = undefined',
    tests: TEXTS,
  },
  {
    name: 'a reminder of an event goes out in quiet hours',
    file: HOLD_BACK,
    from: "purpose === 'campaign' || purpose === 'reminder' ?",
    to: "purpose === 'campaign' ?",
    tests: REMINDERS,
  },
  {
    name: 'a reminder of an event goes to somebody who sent STOP after it was queued',
    file: HOLD_BACK,
    from: "new Set(['campaign', 'reminder', 'survey', 'test'])",
    to: "new Set(['campaign', 'survey', 'test'])",
    tests: REMINDERS,
  },
  {
    name: 'a reminder goes to a number that was removed after it was queued',
    file: HOLD_BACK,
    from: 'return consent === false || unreachable.has(id) ?',
    to: 'return consent === false ?',
    tests: REMINDERS,
  },
  {
    name: 'a number that its account removed is texted a reminder',
    file: 'app/features/events/signing-up/text-reminder.server.ts',
    from: 'const phone = await findReminderPhone(ctx, tx, signUp)',
    to: "const phone: string | undefined = '+16135550199'",
    tests: REMINDERS,
  },
  {
    name: 'a text reminds of an event that was cancelled after it was queued',
    file: HOLD_BACK,
    from: 'if (outdated.has(id)) return',
    to: 'if (outdated.has(`no ${id}`)) return',
    tests: REMINDERS,
  },
  {
    name: 'a mail reminds of an event that was cancelled after it was queued',
    file: 'app/server/mail/begin-attempt.ts',
    from: "if (isOutdated) return buildGiveUpUpdate('reminder-outdated')",
    to: '',
    tests: REMINDERS,
  },
  {
    name: 'a reminder says the place of before',
    file: 'app/server/event-reminders.ts',
    from: ' and s.reminded_at <= ${createdAt}',
    to: '',
    tests: REMINDERS,
  },
  {
    name: 'another service settles a text',
    file: RECEIVE,
    from: '          eq(smsMessages.integration, integration),\n',
    to: '',
    tests: TEXTS,
  },
  {
    name: 'an unsigned report of a service is believed',
    file: RECEIVE,
    from: '  if (!events) return new Response(null, { status: 403 })\n  for (const event of events) {',
    to: '  for (const event of events ?? []) {',
    tests: TEXTS,
  },
  {
    name: 'any text to a service that is off counts as STOP',
    file: RECEIVE,
    from: "if (!phone || (handledAs ?? findKeyword(body)) !== 'stop') return",
    to: 'if (!phone) return',
    tests: TEXTS,
  },
  {
    name: 'a former signing secret works for ever',
    file: WEBHOOK_SIGNATURE,
    from: 'formerSecret && new Date(String(formerUntil)) > now ?',
    to: 'formerSecret ?',
    tests: WEBHOOKS,
  },
  {
    name: 'a webhook’s signature does not cover its time',
    file: WEBHOOK_SIGNATURE,
    from: '.update(`${id}.${timestamp}.${body}`)',
    to: '.update(`${id}.${body}`)',
    tests: WEBHOOKS,
  },
  {
    name: 'requests reach the machine’s own metadata service',
    file: 'app/server/outgoing/public-address.ts',
    from: "  ['169.254.0.0', 16],\n",
    to: '',
    tests: OUTGOING,
  },
  {
    name: 'requests reach private IPv6 networks',
    file: 'app/server/outgoing/public-address.ts',
    from: "return family === 4 || globalUnicast.check(address, 'ipv6')",
    to: 'return family !== 0',
    tests: OUTGOING,
  },
  {
    name: 'a closed survey takes answers',
    file: SUBMIT,
    from: "if (state === 'closed' && !isInGracePeriod",
    to: "if (state === 'scheduled' && !isInGracePeriod",
    tests: RESPONSES,
  },
  {
    name: 'a survey takes answers before it opens',
    file: SUBMIT,
    from: "  if (state === 'scheduled') throw new AppError('survey-not-open')\n",
    to: '',
    tests: RESPONSES,
  },
  {
    name: 'who may not answer answers',
    file: SUBMIT,
    from: '  if (refusal) throw new AppError(ERROR_BY_REFUSAL[refusal])\n',
    to: '',
    tests: RESPONSES,
  },
  {
    name: 'a once-only survey is answered twice at the same moment',
    file: 'app/features/surveys/responses/intake.server.ts',
    from: '    else refused.add(arrival)\n',
    to: '',
    tests: RESPONSES,
  },
  {
    name: 'an anonymous response names its account',
    file: SUBMIT,
    from: "ctx.viewer.kind === 'user' && !survey.anonymous ?",
    to: "ctx.viewer.kind === 'user' ?",
    tests: RESPONSES,
  },
  {
    name: 'a full quota takes more',
    file: QUOTAS,
    from: '        setWhere: lt(surveyQuotas.taken, place.limit),\n',
    to: '',
    tests: RESPONSES,
  },
  {
    name: 'a refused response uses up places of other quotas',
    file: QUOTAS,
    from: '    await givePlacesBack(tx, siteId, surveyId, places.slice(0, index))\n',
    to: '',
    tests: RESPONSES,
  },
  {
    name: 'outboxes show the links of emails',
    file: 'app/server/mail/mask-secrets.ts',
    from: '      .replace(SECRET_PARAMETER, `$1${MASK}`)\n',
    to: '',
    tests: ['app/server/mail/mask-secrets.test.ts', 'tests/api/secrets-of-mails.test.ts'],
  },
  {
    name: 'a stored page is sent in another language',
    file: PAGE_KEY,
    from: '${site.host} ${language} ',
    to: '${site.host} ',
    tests: PAGE_KEYS,
  },
  {
    name: 'a shared page is sent whatever cookies say',
    file: PAGE_KEY,
    from: 'if (!HARMLESS_COOKIES.test(name) && ',
    to: "if (name === '' && ",
    tests: PAGE_KEYS,
  },
  {
    name: 'a page of an account is stored for everybody',
    file: PAGE_KEY,
    from: 'api|account|sign-in',
    to: 'api|sign-in',
    tests: PAGE_KEYS,
  },
  {
    name: 'any website frames our pages',
    file: POLICY,
    from: `startsWith('/live-preview/') ? "'self'" : "'none'")`,
    to: `startsWith('/live-preview/') ? "'self'" : '*')`,
    tests: POLICIES,
  },
  {
    name: 'a framed address writes into the content policy',
    file: POLICY,
    from: '.filter((origin) => /^https:\\/\\/[a-z0-9.-]+$/.test(origin))',
    to: '.filter((origin) => origin !== undefined)',
    tests: POLICIES,
  },
  {
    name: 'browsers guess the type of a file',
    file: POLICY,
    from: "    'x-content-type-options': 'nosniff',\n",
    to: '',
    tests: POLICIES,
  },
  {
    name: 'a link leads on to another website',
    file: 'app/lib/local-path.ts',
    from: " || url.pathname.startsWith('//')",
    to: '',
    tests: ['app/lib/local-path.test.ts'],
  },
  {
    name: 'a site in Sydney is grouped by its initial',
    file: 'app/lib/region-code.ts',
    from: "  ['sydney', 'AU'],\n",
    to: '',
    tests: ['app/lib/region-code.test.ts'],
  },
  {
    name: 'an imported "not both" becomes "neither"',
    file: 'app/features/surveys/import/build-condition.ts',
    from: "(expression.kind === 'all') === negated ? 'any' : 'all'",
    to: "expression.kind === 'all' ? 'all' : 'any'",
    tests: CONDITIONS,
  },
  {
    name: 'an imported "not both" of an XLSForm becomes "neither"',
    file: 'app/features/surveys/import/logic.ts',
    from: "logic.kind === 'all' ? 'any' : 'all'",
    to: 'logic.kind',
    tests: CONDITIONS,
  },
]
