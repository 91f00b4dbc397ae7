import { buildUnsubscribeUrl } from '#app/features/follows/unsubscribe-links.server.ts'
import { buildTargetPath, COMMENTS_HASH } from '#app/features/teamwork/targets.schema.ts'
import { getFormatter } from '#app/lib/format.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { OutgoingMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { Week } from './read-week.server.ts'

interface Line {
  label: string
  href: string
}

/** The mail on a week, in the reader's language. Each line leads to where they act on it. */
export function writeWeek(ctx: Ctx, viewer: SignedInViewer, week: Week, monday: string): Pick<OutgoingMail, 'content' | 'leaveUrl'> {
  const { language, site } = ctx
  const t = getTranslator(language, 'mail')
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  const names = { site: site.name, date: format.date(`${monday}T12:00:00Z`) }
  const leaveUrl = buildUnsubscribeUrl(ctx, language, { kind: 'weekly', userId: viewer.id })
  return {
    leaveUrl,
    content: {
      subject: t('weekly.subject', names),
      paragraphs: [t('greeting', { name: viewer.login }), t('weekly.text', names)],
      links: [...writeProjects(ctx, week), ...writeWaiting(ctx, week), ...writeDates(ctx, week), ...writeFaults(ctx, week)],
      action: { label: t('weekly.action'), href: buildSiteUrl(ctx, '/admin') },
      footer: t('weekly.footer', names),
      settings: { label: t('mentioned.settings'), href: buildSiteUrl(ctx, `/${language}/account/follows`) },
      leave: { label: t('weekly.leave'), href: leaveUrl },
    },
  }
}

/** As the overview of a project says it. */
function getWords(ctx: Ctx) {
  const cockpit = getTranslator(ctx.language, 'cockpit')
  const t = getTranslator(ctx.language, 'mail')
  const format = getFormatter({ language: ctx.language, timeZone: ctx.site.timeZone, region: ctx.site.region })
  return {
    t,
    format,
    toLine: (label: string, path: string): Line => ({ label, href: buildSiteUrl(ctx, path) }),
    count: (key: 'answers' | 'contributions' | 'projects' | 'reviews' | 'report-reviews' | 'draft-reviews' | 'comments', count: number) =>
      t(`weekly.${key}`, { count, number: format.number(count) }),
    countWaiting: (key: 'cases' | 'late' | 'questions' | 'answers' | 'agreement', count: number) =>
      cockpit(`waiting.${key}`, { count, number: format.number(count) }),
    countFailed: (key: 'unsent' | 'returned', count: number) => cockpit(`failed.${key}`, { count, number: format.number(count) }),
  }
}

function writeProjects(ctx: Ctx, { projects, otherProjects }: Week): Line[] {
  const { count, format, toLine } = getWords(ctx)
  const lines = projects.map(({ id, title, answers, contributions }) =>
    toLine(
      `${title}${format.colon}${[answers > 0 && count('answers', answers), contributions > 0 && count('contributions', contributions)]
        .filter((part) => part !== false)
        .join(', ')}`,
      `/admin/projects/${id}`,
    ),
  )
  return otherProjects > 0 ? [...lines, toLine(count('projects', otherProjects), '/admin/projects')] : lines
}

function writeWaiting(ctx: Ctx, { waiting, reviews, reportReviews, draftReviews, comments, tasks }: Week): Line[] {
  const { t, count, countWaiting, format, toLine } = getWords(ctx)
  const withLate = (words: string, late: number) => (late > 0 ? `${words} (${countWaiting('late', late)})` : words)
  return [
    ...(waiting.cases > 0 ? [toLine(withLate(countWaiting('cases', waiting.cases), waiting.casesLate), '/admin/moderation')] : []),
    ...(waiting.questions > 0
      ? [toLine(withLate(countWaiting('questions', waiting.questions), waiting.questionsLate), '/admin/contributions?waits=question')]
      : []),
    ...(waiting.answers > 0 ? [toLine(countWaiting('answers', waiting.answers), '/admin/contributions?waits=answer')] : []),
    ...(waiting.agreement > 0 ? [toLine(countWaiting('agreement', waiting.agreement), '/admin/contributions?waits=agreement')] : []),
    ...(reviews > 0 ? [toLine(count('reviews', reviews), '/admin')] : []),
    ...(reportReviews > 0 ? [toLine(count('report-reviews', reportReviews), '/admin')] : []),
    ...(draftReviews > 0 ? [toLine(count('draft-reviews', draftReviews), '/admin')] : []),
    ...(comments > 0 ? [toLine(count('comments', comments), '/admin/projects')] : []),
    ...tasks.map(({ title, dueOn, targetKind, targetId, projectId }) =>
      toLine(
        t('weekly.task', { title, date: format.date(`${dueOn}T12:00:00Z`) }),
        `${buildTargetPath({ kind: targetKind, id: targetId }, projectId)}#${COMMENTS_HASH}`,
      ),
    ),
  ]
}

function writeDates(ctx: Ctx, { coming }: Week): Line[] {
  const { format, toLine } = getWords(ctx)
  const t = getTranslator(ctx.language, 'calendar')
  return coming.map(({ kind, event, title, count, day, path }) => {
    const what =
      count === null
        ? title || t('untitled')
        : t(`due.${kind === 'question' ? 'question' : 'moderation'}`, { count, number: format.number(count) })
    return toLine(
      `${format.date(`${day}T12:00:00Z`)}${format.colon}${what} (${t(`kinds.${kind}`)}, ${t(`events.${event as 'closes'}`)})`,
      path,
    )
  })
}

function writeFaults(ctx: Ctx, { failed, faults }: Week): Line[] {
  const { countFailed, format, toLine } = getWords(ctx)
  const t = getTranslator(ctx.language, 'admin')
  return [
    ...failed.map(({ id, channel, name, failed: unsent, returned }) =>
      toLine(
        `${name}${format.colon}${[unsent > 0 && countFailed('unsent', unsent), returned > 0 && countFailed('returned', returned)]
          .filter((part) => part !== false)
          .join(', ')}`,
        channel === 'email' ? `/admin/newsletters/${id}` : `/admin/campaigns/${id}`,
      ),
    ),
    ...faults.map(({ kind, title }) => toLine(t(`notifications.kinds.${kind as 'dataset'}`, { title }), '/admin')),
  ]
}
