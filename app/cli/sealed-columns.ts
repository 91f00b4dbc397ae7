import { buildAppSealPlace } from '../features/accounts/second-step/check-second-step.server.ts'
import { buildReceiptSealPlace } from '../features/events/signing-up/event-mails.server.ts'
import { buildKeysPlace, buildSecretPlace } from '../features/identity/provider-secrets.server.ts'
import { buildSealContext } from '../features/marketplace/installation-settings.server.ts'
import { buildTokenSealPlace } from '../features/opencities/portals/open-portal.server.ts'
import { buildPhoneSealPlace } from '../features/sms/answering/conversations.server.ts'

/** Columns with sealed credentials. Short-lived secrets, such as a receipt in transit, open with the former key until they expire. */
export const SEALED_COLUMNS = [
  { table: 'installations', column: 'sealed_secrets', place: buildSealContext },
  { table: 'city_connectors', column: 'sealed_token', place: buildTokenSealPlace },
  { table: 'authenticator_apps', column: 'sealed_key', place: buildAppSealPlace },
  { table: 'identity_providers', column: 'sealed_secret', place: buildSecretPlace },
  { table: 'identity_providers', column: 'sealed_keys', place: buildKeysPlace },
  { table: 'identity_provider_changes', column: 'sealed_secret', place: buildSecretPlace },
  { table: 'event_sign_ups', column: 'sealed_receipt', place: buildReceiptSealPlace },
  { table: 'text_conversations', column: 'sealed_phone', place: buildPhoneSealPlace },
] as const
