import account from '../../../locales/en/account.json' with { type: 'json' }
import admin from '../../../locales/en/admin.json' with { type: 'json' }
import api from '../../../locales/en/api.json' with { type: 'json' }
import areasAdmin from '../../../locales/en/areas-admin.json' with { type: 'json' }
import appeals from '../../../locales/en/appeals.json' with { type: 'json' }
import budgets from '../../../locales/en/budgets.json' with { type: 'json' }
import budgetsAdmin from '../../../locales/en/budgets-admin.json' with { type: 'json' }
import calendar from '../../../locales/en/calendar.json' with { type: 'json' }
import cityAdmin from '../../../locales/en/city-admin.json' with { type: 'json' }
import cityData from '../../../locales/en/city-data.json' with { type: 'json' }
import cockpit from '../../../locales/en/cockpit.json' with { type: 'json' }
import common from '../../../locales/en/common.json' with { type: 'json' }
import contributions from '../../../locales/en/contributions.json' with { type: 'json' }
import contributionsAdmin from '../../../locales/en/contributions-admin.json' with { type: 'json' }
import cookies from '../../../locales/en/cookies.json' with { type: 'json' }
import duties from '../../../locales/en/duties.json' with { type: 'json' }
import editor from '../../../locales/en/editor.json' with { type: 'json' }
import embeds from '../../../locales/en/embeds.json' with { type: 'json' }
import errors from '../../../locales/en/errors.json' with { type: 'json' }
import findings from '../../../locales/en/findings.json' with { type: 'json' }
import events from '../../../locales/en/events.json' with { type: 'json' }
import eventsAdmin from '../../../locales/en/events-admin.json' with { type: 'json' }
import heard from '../../../locales/en/heard.json' with { type: 'json' }
import heardAdmin from '../../../locales/en/heard-admin.json' with { type: 'json' }
import heardReport from '../../../locales/en/heard-report.json' with { type: 'json' }
import help from '../../../locales/en/help.json' with { type: 'json' }
import identity from '../../../locales/en/identity.json' with { type: 'json' }
import identityAdmin from '../../../locales/en/identity-admin.json' with { type: 'json' }
import ledger from '../../../locales/en/ledger.json' with { type: 'json' }
import letters from '../../../locales/en/letters.json' with { type: 'json' }
import mail from '../../../locales/en/mail.json' with { type: 'json' }
import marketplace from '../../../locales/en/marketplace.json' with { type: 'json' }
import media from '../../../locales/en/media.json' with { type: 'json' }
import moderation from '../../../locales/en/moderation.json' with { type: 'json' }
import moderationAdmin from '../../../locales/en/moderation-admin.json' with { type: 'json' }
import participant from '../../../locales/en/participant.json' with { type: 'json' }
import people from '../../../locales/en/people.json' with { type: 'json' }
import populations from '../../../locales/en/populations.json' with { type: 'json' }
import plainWords from '../../../locales/en/plain-words.json' with { type: 'json' }
import platform from '../../../locales/en/platform.json' with { type: 'json' }
import privacy from '../../../locales/en/privacy.json' with { type: 'json' }
import reach from '../../../locales/en/reach.json' with { type: 'json' }
import receipt from '../../../locales/en/receipt.json' with { type: 'json' }
import reports from '../../../locales/en/reports.json' with { type: 'json' }
import sms from '../../../locales/en/sms.json' with { type: 'json' }
import survey from '../../../locales/en/survey.json' with { type: 'json' }
import surveyAccess from '../../../locales/en/survey-access.json' with { type: 'json' }
import surveyAdmin from '../../../locales/en/survey-admin.json' with { type: 'json' }
import surveyData from '../../../locales/en/survey-data.json' with { type: 'json' }
import switches from '../../../locales/en/switches.json' with { type: 'json' }
import teamwork from '../../../locales/en/teamwork.json' with { type: 'json' }
import translations from '../../../locales/en/translations.json' with { type: 'json' }
import verifications from '../../../locales/en/verifications.json' with { type: 'json' }
import verificationsAdmin from '../../../locales/en/verifications-admin.json' with { type: 'json' }
import type { Texts } from './texts.ts'

export const texts: Texts = {
  common,
  cookies,
  participant,
  'areas-admin': areasAdmin,
  calendar,
  cockpit,
  appeals,
  contributions,
  budgets,
  'budgets-admin': budgetsAdmin,
  events,
  'events-admin': eventsAdmin,
  'contributions-admin': contributionsAdmin,
  moderation,
  'moderation-admin': moderationAdmin,
  account,
  people,
  populations,
  'plain-words': plainWords,
  platform,
  privacy,
  survey,
  'survey-access': surveyAccess,
  'survey-admin': surveyAdmin,
  'survey-data': surveyData,
  admin,
  api,
  duties,
  editor,
  embeds,
  errors,
  heard,
  'heard-admin': heardAdmin,
  'heard-report': heardReport,
  help,
  identity,
  'identity-admin': identityAdmin,
  findings,
  ledger,
  letters,
  mail,
  marketplace,
  reach,
  receipt,
  reports,
  media,
  sms,
  switches,
  teamwork,
  translations,
  'city-data': cityData,
  'city-admin': cityAdmin,
  verifications,
  'verifications-admin': verificationsAdmin,
}
