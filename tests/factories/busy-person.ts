import { eq } from 'drizzle-orm'
import { updateProfile } from '#app/features/accounts/profile.server.ts'
import { requireActivityAt } from '#app/features/contributions/record/activities.policy.server.ts'
import { setContributionFollowing } from '#app/features/contributions/following/follow-contribution.server.ts'
import { submitReport } from '#app/features/contributions/moderation/reports/submit-report.server.ts'
import { takeFormPhotos } from '#app/features/contributions/posting/keep-photo.server.ts'
import { submitContribution } from '#app/features/contributions/posting/submit-contribution.server.ts'
import { addReaction } from '#app/features/contributions/responding/reactions.server.ts'
import { submitReply } from '#app/features/contributions/responding/replies.server.ts'
import { keepDraft } from '#app/features/surveys/responses/drafts.server.ts'
import { keepFile } from '#app/features/surveys/responses/files/keep-file.server.ts'
import { createSending } from '#app/features/participation/sending.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Tx } from '#app/server/db/client.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import type { TestRuntime } from '#tests/support/database.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { createPicture } from '#tests/support/pictures.ts'
import { addRowsAbout } from './busy-person-rows.ts'
import { addActivity, addContribution } from './contributions.ts'
import { addSurvey, inAllLanguages } from './surveys.ts'

/** What can be searched for: each stands in one place of the product, or in a few. */
export const BUSY = {
  name: 'Zephyrine Quillfeather',
  email: 'zephyrine@quillfeather.example',
  formerEmail: 'z.old@quillfeather.example',
  phone: '+14165550177',
  street: '17 Umbrageous Crescent',
  personalNote: 'wheelchair-and-marzipan',
  fileName: 'quillfeather-lease',
  draft: 'half-thought-of-ocelots',
  idea: 'gazebos-for-pangolins',
  place: 'behind-the-quincunx',
  photo: 'heliotrope-on-the-quay',
  reply: 'verily-a-perambulation',
  report: 'calumny-most-unctuous',
  appeal: 'peradventure-reconsider',
  original: 'my-neighbour-thaddeus',
  about: 'tarradiddle-about-self',
  note: 'mumpsimus-of-the-team',
  text: 'tarradiddle-by-text',
  textAnswer: 'halcyon-by-text',
  view: 'tatterdemalion-list',
  passkey: 'lapis-lazuli-key',
  token: 'gossamer-program',
  device: 'Perspicacious/7.1',
  address: '203.0.113.77',
  blocked: 'blocked-for-bombast',
  providerSubject: 'subject-ineffable-42',
  question: 'answered-privately-ephemera',
} as const

/** Said in answer to a question that asks for an opinion: it stays, without its author. */
export const BUSY_OPINION = 'more-cicadas-please'

const DEFINITION: Definition = {
  schema: 1,
  pages: [
    {
      id: 'p',
      questions: [
        { id: 'who', type: 'short_text', title: inAllLanguages('Your name'), personal: true },
        { id: 'needs', type: 'long_text', title: inAllLanguages('Your needs'), personal: true },
        { id: 'mail', type: 'email', title: inAllLanguages('Your email') },
        { id: 'shown', type: 'file', title: inAllLanguages('Show us'), kinds: ['pdf'], maxFiles: 1, maxMegabytes: 1 },
        { id: 'opinion', type: 'long_text', title: inAllLanguages('Your opinion') },
      ],
    },
  ],
}

/** Adds a person who has used everything that the product offers a participant. */
export async function addBusyPerson(runtime: TestRuntime, site: Site): Promise<{ account: Account; surveyId: string }> {
  const account = await addAccount(runtime, site, { email: BUSY.email, login: BUSY.name })
  const surveyId = await answerSurvey(runtime, site, account)
  const ids = await takePart(runtime, site, account)
  const ctx = await account.ctx({ address: BUSY.address })
  await updateProfile(ctx, { marketingConsent: true })
  await addRowsAbout(runtime, site, account.id, { surveyId, ...ids })
  return { account, surveyId }
}

async function answerSurvey(runtime: TestRuntime, site: Site, account: Account): Promise<string> {
  const survey = await addSurvey(runtime, site, { definition: DEFINITION })
  const ctx = await account.ctx({ address: BUSY.address })
  const find = (tx: Tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id))
  const pdf = Buffer.from(`%PDF-1.7\n% ${BUSY.name}\n%%EOF`)
  const give = (sending: ReturnType<typeof createSending>) =>
    keepFile(ctx, find, () => ({}), {
      sending,
      version: 1,
      question: 'shown',
      name: `${BUSY.fileName}.pdf`,
      isCut: false,
      bytes: pdf.length,
      read: () => Promise.resolve(pdf),
    })
  const sending = createSending(runtime.now())
  const answers = {
    who: BUSY.name,
    needs: `${BUSY.personalNote}, ${BUSY.street}`,
    mail: BUSY.email,
    shown: { files: [await give(sending)] },
    opinion: BUSY_OPINION,
  }
  await submitResponse(ctx, find, { ...sending, version: 1, answers })
  const draft = createSending(runtime.now())
  await give(draft)
  await keepDraft(ctx, { ...draft, survey: survey.id, answers: { opinion: BUSY.draft } })
  return survey.id
}

/** Contributes, replies, reports, supports and follows. */
async function takePart(runtime: TestRuntime, site: Site, account: Account) {
  const ctx = await account.ctx({ address: BUSY.address })
  const activity = await addActivity(runtime, site, {
    kind: 'stories',
    postAccess: 'anyone',
    moderation: 'after',
    settings: { shownNames: ['name'] },
  })
  const address = { project: activity.projectSlug, activity: activity.slug }
  const sending = createSending(runtime.now())
  const jpeg = await createPicture(80, 60)
    .withExif({ IFD0: { Artist: BUSY.name } })
    .jpeg()
    .toBuffer()
  const file = { field: 'photo-1', name: 'a.jpg', bytes: jpeg.length, isCut: false, read: () => Promise.resolve(jpeg) }
  const photos = await takeFormPhotos(ctx, {
    address,
    sending,
    browserToken: issueToken(runtime, site),
    values: { 'alt-1': BUSY.photo },
    files: [file],
  })
  await submitContribution(ctx, (tx) => requireActivityAt(ctx, tx, address), {
    ...sending,
    title: 'The day the ferry came',
    body: BUSY.idea,
    categories: [],
    shownAs: 'name',
    shownName: BUSY.name,
    areaId: null,
    placeText: BUSY.place,
    photos,
  })
  const ideas = await addActivity(runtime, site, { postAccess: 'anyone', moderation: 'after' })
  const other = await addContribution(runtime, site, { activityId: ideas.id, number: 1 })
  await submitReply(ctx, { ...createSending(runtime.now()), contributionId: other.id, body: BUSY.reply, shownName: BUSY.name })
  await addReaction(ctx, { id: createId(), contributionId: other.id })
  await setContributionFollowing(ctx, other.id, true)
  await submitReport(ctx, { id: createId(), contributionId: other.id, replyId: null, rule: 'abuse', words: BUSY.report })
  return { projectId: ideas.projectId, activityId: ideas.id, own: sending.id, other: other.id }
}
