import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { readOwnHomeArea } from '#app/features/areas/home-area.server.ts'
import { readOwnApiTokens } from '#app/features/api-tokens/api-tokens.server.ts'
import { readOwnCalendarLinks } from '#app/features/calendar/calendar-links.server.ts'
import { readOwnAddressFollows } from '#app/features/follows/email-follows.server.ts'
import { readOwnIdentities } from '#app/features/identity/identities.server.ts'
import { readOwnIdentityRequests } from '#app/features/identity/own-identity-requests.server.ts'
import { readOwnProviderTests } from '#app/features/identity/provider-tests.server.ts'
import { readOwnReportViews, readReportsMailedTo } from '#app/features/reports/views/own-report-views.server.ts'
import { readOwnSavedViews } from '#app/features/saved-views/saved-views.server.ts'
import { readOwnConversations } from '#app/features/sms/own-texts.server.ts'
import { formatShownBody } from '#app/features/sms/format-shown-body.server.ts'
import { readOwnTeamwork } from '#app/features/teamwork/own-teamwork.server.ts'
import { readOwnVerifications } from '#app/features/verifications/verifications.server.ts'
import { readOwnProfileAnswers } from '#app/features/profile-answers/profile-answers.server.ts'
import { oneTimeLinks, peopleGroupMembers, peopleGroups, users } from '#app/server/db/schema/accounts.ts'
import { readOwnTranslations } from '#app/features/contributions/translating/own-translations.server.ts'
import { readOwnContributionFollows } from '#app/features/contributions/following/follow-contribution.server.ts'
import { readOwnOriginals } from '#app/features/contributions/moderation/masking/masked-originals.server.ts'
import {
  readOwnNotes,
  readOwnPhotos,
  readOwnReactions,
  readPrivateAnswers,
} from '#app/features/contributions/own/account-contributions.server.ts'
import { readNotifications } from '#app/server/db/schema/administration.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributionLinks, contributions, replies } from '#app/server/db/schema/contributions.ts'
import { mailConsents, outboxMails } from '#app/server/db/schema/mail.ts'
import { smsConsents, smsMessages, userPhones } from '#app/server/db/schema/messages.ts'
import { moderationAppeals, moderationCases, moderationReports, moderationRules } from '#app/server/db/schema/moderation.ts'
import { projectMembers, projects } from '#app/server/db/schema/projects.ts'
import { responseDrafts, responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import { readOwnVotes } from '#app/features/budgets/voting/voters.server.ts'
import { readOwnSignUps } from '#app/features/events/signing-up/cancel-sign-up.server.ts'
import { readOwnSessions } from '#app/features/accounts/sessions.server.ts'
import { readOwnSecondStep } from '#app/features/accounts/second-step/second-step.server.ts'
import { readOwnRoles } from '#app/features/accounts/memberships.server.ts'
import { readOwnPersonNotes } from './notes/person-notes.server.ts'
import type { OwnDataSection } from './own-data-section.server.ts'

/**
 * The personal data that a site holds about one person. A feature that stores personal data adds its section here. List columns explicitly;
 * never spread rows.
 */
export const OWN_DATA: readonly OwnDataSection[] = [
  {
    name: 'account',
    read: async (_ctx, tx, { siteId, userId }) => {
      const [account] = await tx
        .select({
          id: users.id,
          email: users.email,
          login: users.login,
          type: users.type,
          locale: users.locale,
          emailConfirmedAt: users.emailConfirmedAt,
          blockedAt: users.blockedAt,
          blockedReason: users.blockedReason,
          lastSeenAt: users.lastSeenAt,
          marketingConsentAt: users.marketingConsentAt,
          profilePostponedAt: users.profilePostponedAt,
          followMails: users.followMails,
          createdAt: users.createdAt,
        })
        .from(users)
        .where(and(eq(users.siteId, siteId), eq(users.id, userId)))
      return account
    },
  },
  { name: 'sessions', read: (_ctx, tx, person) => readOwnSessions(tx, person) },
  { name: 'secondStep', read: (_ctx, tx, person) => readOwnSecondStep(tx, person) },
  { name: 'apiTokens', read: readOwnApiTokens },
  { name: 'identities', read: readOwnIdentities },
  { name: 'verifications', read: readOwnVerifications },
  { name: 'identityProviderTests', read: readOwnProviderTests },
  { name: 'identityRequests', read: (_ctx, tx, person) => readOwnIdentityRequests(tx, person) },
  {
    name: 'links',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({
          purpose: oneTimeLinks.purpose,
          email: oneTimeLinks.email,
          createdAt: oneTimeLinks.createdAt,
          expiresAt: oneTimeLinks.expiresAt,
          usedAt: oneTimeLinks.usedAt,
        })
        .from(oneTimeLinks)
        .where(and(eq(oneTimeLinks.siteId, siteId), eq(oneTimeLinks.userId, userId)))
        .orderBy(asc(oneTimeLinks.createdAt)),
  },
  { name: 'roles', read: readOwnRoles },
  {
    name: 'follows',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({ projectId: projects.id, project: projects.title, since: projectFollows.createdAt })
        .from(projectFollows)
        .innerJoin(projects, and(eq(projects.siteId, projectFollows.siteId), eq(projects.id, projectFollows.projectId)))
        .where(and(eq(projectFollows.siteId, siteId), eq(projectFollows.userId, userId)))
        .orderBy(asc(projectFollows.createdAt)),
  },
  { name: 'emailFollows', read: (_ctx, tx, { siteId, email }) => readOwnAddressFollows(tx, siteId, email) },
  { name: 'contributionFollows', read: (_ctx, tx, { siteId, userId }) => readOwnContributionFollows(tx, siteId, userId) },
  {
    name: 'memberships',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({ projectId: projects.id, project: projects.title, since: projectMembers.createdAt })
        .from(projectMembers)
        .innerJoin(projects, and(eq(projects.siteId, projectMembers.siteId), eq(projects.id, projectMembers.projectId)))
        .where(and(eq(projectMembers.siteId, siteId), eq(projectMembers.userId, userId)))
        .orderBy(asc(projectMembers.createdAt)),
  },
  {
    name: 'groups',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({ name: peopleGroups.name, kind: peopleGroups.kind, since: peopleGroupMembers.createdAt })
        .from(peopleGroupMembers)
        .innerJoin(peopleGroups, and(eq(peopleGroups.siteId, peopleGroupMembers.siteId), eq(peopleGroups.id, peopleGroupMembers.groupId)))
        .where(and(eq(peopleGroupMembers.siteId, siteId), eq(peopleGroupMembers.userId, userId)))
        .orderBy(asc(peopleGroupMembers.createdAt)),
  },
  {
    name: 'responses',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({
          id: responses.id,
          surveyId: responses.surveyId,
          survey: surveys.title,
          version: responses.version,
          language: responses.language,
          source: responses.source,
          answers: responses.answers,
          submittedAt: responses.submittedAt,
          editedAt: responses.editedAt,
          withdrawnAt: responses.withdrawnAt,
          seconds: responses.seconds,
        })
        .from(responses)
        .innerJoin(surveys, and(eq(surveys.siteId, responses.siteId), eq(surveys.id, responses.surveyId)))
        .where(and(eq(responses.siteId, siteId), eq(responses.userId, userId)))
        .orderBy(asc(responses.submittedAt)),
  },
  {
    name: 'contributions',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({
          id: contributions.id,
          activityId: contributions.activityId,
          number: contributions.number,
          shownAs: contributions.shownAs,
          shownName: contributions.shownName,
          language: contributions.language,
          title: contributions.title,
          body: contributions.body,
          categories: contributions.categories,
          placeText: contributions.placeText,
          fields: contributions.fields,
          geometry: contributions.geometry,
          areaId: contributions.areaId,
          state: contributions.state,
          reason: contributions.reason,
          dueAt: contributions.dueAt,
          answered: contributions.answered,
          submittedAt: contributions.submittedAt,
          editedAt: contributions.editedAt,
          publishedAt: contributions.publishedAt,
        })
        .from(contributions)
        .where(and(eq(contributions.siteId, siteId), eq(contributions.authorId, userId)))
        .orderBy(asc(contributions.submittedAt)),
  },
  { name: 'translations', read: (_ctx, tx, { siteId, userId }) => readOwnTranslations(tx, siteId, userId) },
  { name: 'removedPassages', read: (_ctx, tx, { siteId, userId }) => readOwnOriginals(tx, siteId, userId) },
  { name: 'contributionPhotos', read: (ctx, tx, { siteId, userId }) => readOwnPhotos(ctx, tx, siteId, userId) },
  { name: 'contributionNotes', read: (_ctx, tx, { siteId, userId }) => readOwnNotes(tx, siteId, userId) },
  { name: 'privateAnswers', read: (_ctx, tx, { siteId, userId }) => readPrivateAnswers(tx, siteId, userId) },
  {
    name: 'assignedQuestions',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({ id: contributions.id, activityId: contributions.activityId, number: contributions.number, dueAt: contributions.dueAt })
        .from(contributions)
        .where(and(eq(contributions.siteId, siteId), eq(contributions.assigneeId, userId)))
        .orderBy(asc(contributions.submittedAt)),
  },
  {
    name: 'assignedCases',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({ id: moderationCases.id, openedAt: moderationCases.openedAt, dueAt: moderationCases.dueAt })
        .from(moderationCases)
        .where(and(eq(moderationCases.siteId, siteId), eq(moderationCases.assigneeId, userId)))
        .orderBy(asc(moderationCases.openedAt)),
  },
  {
    name: 'objections',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({
          contributionId: contributionLinks.contributionId,
          objection: contributionLinks.objection,
          objectedAt: contributionLinks.objectedAt,
          answer: contributionLinks.objectionAnswer,
        })
        .from(contributionLinks)
        .innerJoin(
          contributions,
          and(eq(contributions.siteId, contributionLinks.siteId), eq(contributions.id, contributionLinks.contributionId)),
        )
        .where(and(eq(contributionLinks.siteId, siteId), eq(contributions.authorId, userId), isNotNull(contributionLinks.objectedAt)))
        .orderBy(asc(contributionLinks.objectedAt)),
  },
  {
    name: 'replies',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({
          id: replies.id,
          contributionId: replies.contributionId,
          shownName: replies.shownName,
          language: replies.language,
          body: replies.body,
          state: replies.state,
          reason: replies.reason,
          createdAt: replies.createdAt,
        })
        .from(replies)
        .where(and(eq(replies.siteId, siteId), eq(replies.authorId, userId)))
        .orderBy(asc(replies.createdAt)),
  },
  {
    name: 'reports',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({
          contributionId: moderationReports.contributionId,
          replyId: moderationReports.replyId,
          version: moderationReports.version,
          rule: moderationRules.code,
          words: moderationReports.words,
          createdAt: moderationReports.createdAt,
          toldAt: moderationReports.toldAt,
        })
        .from(moderationReports)
        .innerJoin(
          moderationRules,
          and(eq(moderationRules.siteId, moderationReports.siteId), eq(moderationRules.id, moderationReports.ruleId)),
        )
        .where(and(eq(moderationReports.siteId, siteId), eq(moderationReports.reporterId, userId)))
        .orderBy(asc(moderationReports.createdAt)),
  },
  {
    name: 'appeals',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({
          appellant: moderationAppeals.appellant,
          words: moderationAppeals.words,
          state: moderationAppeals.state,
          answer: moderationAppeals.answer,
          createdAt: moderationAppeals.createdAt,
          decidedAt: moderationAppeals.decidedAt,
        })
        .from(moderationAppeals)
        .where(and(eq(moderationAppeals.siteId, siteId), eq(moderationAppeals.appellantId, userId)))
        .orderBy(asc(moderationAppeals.createdAt)),
  },
  { name: 'budgetVotes', read: (ctx, tx, person) => readOwnVotes(ctx, tx, person) },
  { name: 'eventSignUps', read: (_ctx, tx, person) => readOwnSignUps(tx, person) },
  { name: 'reactions', read: (ctx, tx, { siteId, userId }) => readOwnReactions(ctx.runtime.secret, tx, siteId, userId) },
  {
    name: 'drafts',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({
          surveyId: responseDrafts.surveyId,
          language: responseDrafts.language,
          answers: responseDrafts.answers,
          startedAt: responseDrafts.startedAt,
          updatedAt: responseDrafts.updatedAt,
        })
        .from(responseDrafts)
        .where(and(eq(responseDrafts.siteId, siteId), eq(responseDrafts.userId, userId)))
        .orderBy(asc(responseDrafts.startedAt)),
  },
  {
    name: 'mails',
    // Matched by address only: emails to an address the person merely asked to change to would reveal whether that address has an account.
    read: (_ctx, tx, { siteId, email }) =>
      tx
        .select({
          to: outboxMails.recipient,
          language: outboxMails.language,
          subject: outboxMails.subject,
          createdAt: outboxMails.createdAt,
          sentAt: outboxMails.sentAt,
        })
        .from(outboxMails)
        .where(and(eq(outboxMails.siteId, siteId), eq(outboxMails.recipient, email)))
        .orderBy(asc(outboxMails.createdAt)),
  },
  {
    name: 'phone',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({ phone: userPhones.phone, confirmedAt: userPhones.confirmedAt })
        .from(userPhones)
        .where(and(eq(userPhones.siteId, siteId), eq(userPhones.userId, userId))),
  },
  { name: 'area', read: (_ctx, tx, { siteId, userId }) => readOwnHomeArea(tx, siteId, userId) },
  { name: 'personNotes', read: (_ctx, tx, { siteId, userId }) => readOwnPersonNotes(tx, siteId, userId) },
  { name: 'teamwork', read: (_ctx, tx, { siteId, userId }) => readOwnTeamwork(tx, siteId, userId) },
  { name: 'profile-answers', read: (_ctx, tx, { siteId, userId }) => readOwnProfileAnswers(tx, siteId, userId) },
  {
    name: 'text-consents',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({
          at: smsConsents.at,
          phone: smsConsents.phone,
          given: smsConsents.given,
          words: smsConsents.words,
          source: smsConsents.source,
          address: smsConsents.address,
        })
        .from(smsConsents)
        .where(and(eq(smsConsents.siteId, siteId), eq(smsConsents.userId, userId)))
        .orderBy(asc(smsConsents.at)),
  },
  {
    name: 'mail-consents',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({
          at: mailConsents.at,
          email: mailConsents.email,
          given: mailConsents.given,
          words: mailConsents.words,
          source: mailConsents.source,
          address: mailConsents.address,
        })
        .from(mailConsents)
        .where(and(eq(mailConsents.siteId, siteId), eq(mailConsents.userId, userId)))
        .orderBy(asc(mailConsents.at)),
  },
  {
    name: 'texts',
    read: async (_ctx, tx, { siteId, userId }) => {
      const rows = await tx
        .select({
          direction: smsMessages.direction,
          phone: smsMessages.phone,
          body: smsMessages.body,
          createdAt: smsMessages.createdAt,
          sentAt: smsMessages.sentAt,
          purpose: smsMessages.purpose,
          integration: smsMessages.integration,
        })
        .from(smsMessages)
        .where(and(eq(smsMessages.siteId, siteId), eq(smsMessages.userId, userId)))
        .orderBy(asc(smsMessages.createdAt))
      return rows.map(({ purpose, integration, ...text }) => ({
        ...text,
        body: formatShownBody({ purpose, integration, body: text.body }),
      }))
    },
  },
  { name: 'text-conversations', read: readOwnConversations },
  {
    name: 'read-notifications',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({ id: readNotifications.notificationId, readAt: readNotifications.readAt })
        .from(readNotifications)
        .where(and(eq(readNotifications.siteId, siteId), eq(readNotifications.userId, userId)))
        .orderBy(asc(readNotifications.readAt)),
  },
  { name: 'saved-views', read: (_ctx, tx, { siteId, userId }) => readOwnSavedViews(tx, siteId, userId) },
  { name: 'calendar-links', read: (_ctx, tx, { siteId, userId }) => readOwnCalendarLinks(tx, siteId, userId) },
  { name: 'report-views', read: (_ctx, tx, { siteId, userId }) => readOwnReportViews(tx, siteId, userId) },
  { name: 'reportMails', read: (_ctx, tx, { siteId, email }) => readReportsMailedTo(tx, siteId, email) },
  {
    name: 'trail',
    read: (_ctx, tx, { siteId, userId }) =>
      tx
        .select({
          at: auditEvents.at,
          action: auditEvents.action,
          subjectType: auditEvents.subjectType,
          subjectId: auditEvents.subjectId,
          address: auditEvents.address,
        })
        .from(auditEvents)
        .where(and(eq(auditEvents.siteId, siteId), eq(auditEvents.actorId, userId)))
        .orderBy(asc(auditEvents.at)),
  },
]
