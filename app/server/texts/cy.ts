import account from '../../../locales/cy/account.json' with { type: 'json' }
import admin from '../../../locales/cy/admin.json' with { type: 'json' }
import api from '../../../locales/cy/api.json' with { type: 'json' }
import areasAdmin from '../../../locales/cy/areas-admin.json' with { type: 'json' }
import appeals from '../../../locales/cy/appeals.json' with { type: 'json' }
import budgets from '../../../locales/cy/budgets.json' with { type: 'json' }
import budgetsAdmin from '../../../locales/cy/budgets-admin.json' with { type: 'json' }
import calendar from '../../../locales/cy/calendar.json' with { type: 'json' }
import cityAdmin from '../../../locales/cy/city-admin.json' with { type: 'json' }
import cityData from '../../../locales/cy/city-data.json' with { type: 'json' }
import cockpit from '../../../locales/cy/cockpit.json' with { type: 'json' }
import common from '../../../locales/cy/common.json' with { type: 'json' }
import contributions from '../../../locales/cy/contributions.json' with { type: 'json' }
import contributionsAdmin from '../../../locales/cy/contributions-admin.json' with { type: 'json' }
import cookies from '../../../locales/cy/cookies.json' with { type: 'json' }
import duties from '../../../locales/cy/duties.json' with { type: 'json' }
import editor from '../../../locales/cy/editor.json' with { type: 'json' }
import embeds from '../../../locales/cy/embeds.json' with { type: 'json' }
import errors from '../../../locales/cy/errors.json' with { type: 'json' }
import findings from '../../../locales/cy/findings.json' with { type: 'json' }
import events from '../../../locales/cy/events.json' with { type: 'json' }
import eventsAdmin from '../../../locales/cy/events-admin.json' with { type: 'json' }
import heard from '../../../locales/cy/heard.json' with { type: 'json' }
import heardAdmin from '../../../locales/cy/heard-admin.json' with { type: 'json' }
import heardReport from '../../../locales/cy/heard-report.json' with { type: 'json' }
import help from '../../../locales/cy/help.json' with { type: 'json' }
import identity from '../../../locales/cy/identity.json' with { type: 'json' }
import identityAdmin from '../../../locales/cy/identity-admin.json' with { type: 'json' }
import ledger from '../../../locales/cy/ledger.json' with { type: 'json' }
import letters from '../../../locales/cy/letters.json' with { type: 'json' }
import mail from '../../../locales/cy/mail.json' with { type: 'json' }
import marketplace from '../../../locales/cy/marketplace.json' with { type: 'json' }
import media from '../../../locales/cy/media.json' with { type: 'json' }
import moderation from '../../../locales/cy/moderation.json' with { type: 'json' }
import moderationAdmin from '../../../locales/cy/moderation-admin.json' with { type: 'json' }
import participant from '../../../locales/cy/participant.json' with { type: 'json' }
import people from '../../../locales/cy/people.json' with { type: 'json' }
import populations from '../../../locales/cy/populations.json' with { type: 'json' }
import plainWords from '../../../locales/cy/plain-words.json' with { type: 'json' }
import platform from '../../../locales/cy/platform.json' with { type: 'json' }
import privacy from '../../../locales/cy/privacy.json' with { type: 'json' }
import reach from '../../../locales/cy/reach.json' with { type: 'json' }
import receipt from '../../../locales/cy/receipt.json' with { type: 'json' }
import reports from '../../../locales/cy/reports.json' with { type: 'json' }
import sms from '../../../locales/cy/sms.json' with { type: 'json' }
import survey from '../../../locales/cy/survey.json' with { type: 'json' }
import surveyAccess from '../../../locales/cy/survey-access.json' with { type: 'json' }
import surveyAdmin from '../../../locales/cy/survey-admin.json' with { type: 'json' }
import surveyData from '../../../locales/cy/survey-data.json' with { type: 'json' }
import switches from '../../../locales/cy/switches.json' with { type: 'json' }
import teamwork from '../../../locales/cy/teamwork.json' with { type: 'json' }
import translations from '../../../locales/cy/translations.json' with { type: 'json' }
import verifications from '../../../locales/cy/verifications.json' with { type: 'json' }
import verificationsAdmin from '../../../locales/cy/verifications-admin.json' with { type: 'json' }
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
