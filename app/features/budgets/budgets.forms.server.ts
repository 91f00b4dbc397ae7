import { readInvitation } from '#app/features/invitations/invitation-cookies.server.ts'
import { buildReceiptCookie } from '#app/features/participation/receipt-cookies.server.ts'
import { readSending } from '#app/features/participation/sending.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import { readIdTime } from '#app/lib/uuid.ts'
import { createFormHandler, type FormValues, readText, redirectWithCookies, type Submission } from '#app/server/forms.ts'
import { limitGuesses, limitGuessesByAddress } from '#app/server/limits/guesses.ts'
import { drawSeed, findBallotByCode, pairPoints } from './budget-views.server.ts'
import { type RoundAddress, requireRoundAt } from './budgets.policy.server.ts'
import type { Points } from './voting/ballot-rules.ts'
import { buildChoiceCookie, buildExpiredChoiceCookie, type Choice, readChoice } from './voting/ballot-cookies.server.ts'
import { castBallot } from './voting/cast-ballot.server.ts'
import { findOwnBallot, hashVoter } from './voting/voters.server.ts'

/** A ballot names at most a few hundred options. */
const BALLOT_FORM = { bytes: 32_000, fields: 400 }

const toAddress = (params: Record<string, string>): RoundAddress => ({ project: params['slug'] ?? '', round: params['round'] ?? '' })
const buildPath = ({ params, path }: Pick<Submission, 'params' | 'path'>, rest = '') =>
  path(`/projects/${encodeURIComponent(params['slug'] ?? '')}/budgets/${encodeURIComponent(params['round'] ?? '')}${rest}`)

const readNumber = (sent: string): number | undefined => (/^\d{1,5}$/.test(sent) ? Number(sent) : undefined)
const readNumbers = (sent: FormValues[string] | undefined): number[] => [sent ?? []].flat().flatMap((one) => readNumber(one) ?? [])

/** Points by option, as the check page sends them. */
const readPoints = (values: FormValues): Points =>
  Object.fromEntries(readNumbers(values['option']).map((number) => [number, readNumber(readText(values[`points.${number}`])) ?? 0]))

/** When the form was opened: what it says itself, but not later than now. */
function readOpenedAt({ ctx, values }: Submission): number {
  const now = ctx.now().getTime()
  const opened = Number(readText(values['openedAt'])) || (readIdTime(readText(values['id'])) ?? now)
  return Math.min(opened, now)
}

/** Adds an option to the choice on this device, or takes one out; then the same page, at that option. */
export const choiceForm = createFormHandler({ by: 'anyone', bounds: BALLOT_FORM }, (submission) =>
  submission.values['form'] === 'points' ? keepPoints(submission) : changeChoice(submission, ''),
)

/** Keeps the points as they were typed on this device; then the same page, or the check. */
async function keepPoints(submission: Submission): Promise<Response> {
  const { ctx, values, params, request } = submission
  const { round } = await ctx.db.read((tx) => requireRoundAt(ctx, tx, toAddress(params)))
  const max = round.maxPoints ?? 0
  const typed = Object.entries(values).filter(([name]) => name.startsWith('points.'))
  const given = typed.map(([name, sent]) => ({ name, number: readNumber(name.slice('points.'.length)), points: readText(sent).trim() }))
  const faults = given
    .filter(({ points }) => points !== '' && !/^\d{1,5}$/.test(points))
    .map(({ name }) => ({ code: 'out-of-range' as const, pointer: `/${name}`, values: { min: 0, max } }))
  if (faults.length > 0) throw new AppError('invalid', { faults })
  const points = Object.fromEntries(given.flatMap(({ number, points: own }) => (number && Number(own) > 0 ? [[number, Number(own)]] : [])))
  const choice = readChoice(round.id)
  const kept = { numbers: Object.keys(points).map(Number), points, ...keepOpening(submission, round.id, choice) }
  const { search } = new URL(request.url)
  const goesOn = values['next'] === 'check'
  return redirectWithCookies(`${buildPath(submission, goesOn ? '/check' : '')}${goesOn ? '' : `${search}#choice`}`, [
    buildChoiceCookie(ctx, round.id, kept),
  ])
}

const keepOpening = (submission: Submission, roundId: string, choice: Choice | undefined) => ({
  openedAt: choice?.openedAt ?? readOpenedAt(submission),
  seed: choice?.seed ?? drawSeed(submission.ctx, roundId),
})

async function changeChoice(submission: Submission, page: '' | '/check'): Promise<Response> {
  const { ctx, values, params, request } = submission
  const added = readNumber(readText(values['add']))
  const removed = readNumber(readText(values['remove']))
  const { round, own } = await ctx.db.read(async (tx) => {
    const placed = await requireRoundAt(ctx, tx, toAddress(params))
    return { round: placed.round, own: await findOwnBallot(tx, placed.round, await hashVoter(ctx, tx, placed.round, readInvitation)) }
  })
  const choice = readChoice(round.id)
  const before = choice?.numbers ?? own?.options ?? []
  const numbers = [...before.filter((number) => number !== added && number !== removed), ...(added === undefined ? [] : [added])]
  const points = Object.fromEntries(
    Object.entries(choice?.points ?? pairPoints(own)).filter(([number]) => numbers.includes(Number(number))),
  )
  const kept = { numbers, points, ...keepOpening(submission, round.id, choice) }
  const place = page === '' ? `#option-${added ?? removed ?? 1}` : ''
  const { search } = new URL(request.url)
  return redirectWithCookies(`${buildPath(submission, page)}${search}${place}`, [buildChoiceCookie(ctx, round.id, kept)])
}

/** The check page: takes an option out, or casts the ballot as it was shown. */
export const checkForm = createFormHandler({ by: 'anyone', bounds: BALLOT_FORM }, async (submission) => {
  const { ctx, values, params } = submission
  if (values['remove'] !== undefined) return changeChoice(submission, '/check')
  const { code, roundId } = await castBallot(ctx, toAddress(params), {
    ...readSending(values, ctx.now()),
    options: readNumbers(values['option']),
    points: readPoints(values),
    seen: readNumber(readText(values['seen'])) ?? 0,
    openedAt: new Date(readOpenedAt(submission)),
    readInvitation,
  })
  return redirectWithCookies(buildPath(submission, '/receipt'), [buildReceiptCookie(ctx, code), buildExpiredChoiceCookie(ctx, roundId)])
})

/** Looks a ballot up by its receipt. */
export const ballotReceiptForm = createFormHandler({ by: 'anyone' }, async (submission) => {
  const { ctx, values, params } = submission
  const typed = readText(values['code'])
  if (!typed.trim()) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/code' }] })
  const code = parseReceiptCode(typed)
  if (!code) throw new AppError('invalid', { faults: [{ code: 'wrong-format', pointer: '/code' }] })
  await limitGuesses(ctx, limitGuessesByAddress(ctx, 'receipt', 20), async () => {
    const found = await ctx.db.read(async (tx) => {
      const { round } = await requireRoundAt(ctx, tx, toAddress(params))
      return findBallotByCode(ctx, tx, round, code)
    })
    if (!found) throw new AppError('invalid', { faults: [{ code: 'not-found', pointer: '/code' }] })
  })
  return redirectWithCookies(buildPath(submission, '/receipt'), [buildReceiptCookie(ctx, code)])
})
