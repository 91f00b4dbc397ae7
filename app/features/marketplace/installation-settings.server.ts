import { listDestinationNames, listGeneratedNames, listSecretNames } from './setting-fields.ts'
import type { InstallationRow } from './installations.server.ts'
import { findIntegration } from './integrations/registry.server.ts'
import type { Manifest, Settings, SettingValue } from './marketplace.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import { requireValid } from '#app/lib/validate.ts'
import type { Ctx } from '#app/server/context.ts'
import { sealSecret, getSealingKeys, unsealSecret } from '#app/server/crypto/seal.ts'

/** Where an installation's credentials are kept, as their seal names it. */
export const buildSealContext = (installationId: string): string => `installations/${installationId}/secrets`

/** What is kept of settings: the secret ones sealed, the rest as it is. */
export interface StoredSettings {
  settings: Settings
  sealedSecrets: string | null
}

/** All settings of an installation, with its secrets: for its integration's code alone. */
export function openSettings({ runtime }: Pick<Ctx, 'runtime'>, row: Pick<InstallationRow, 'id' | 'settings' | 'sealedSecrets'>): Settings {
  const text = row.sealedSecrets === null ? undefined : unsealSecret(getSealingKeys(runtime), buildSealContext(row.id), row.sealedSecrets)
  return { ...row.settings, ...(text ? (JSON.parse(text) as Settings) : {}) }
}

/** Names of the secrets that are set. */
export function listSetSecrets(
  ctx: Pick<Ctx, 'runtime'>,
  row: Pick<InstallationRow, 'id' | 'integration' | 'settings' | 'sealedSecrets'>,
): string[] {
  const integration = findIntegration(row.integration)
  const names = integration ? listSecretNames(integration.manifest) : new Set<string>()
  return Object.keys(openSettings(ctx, row)).filter((name) => names.has(name))
}

/**
 * Lays what was given over what there is and checks the whole by the manifest. Null takes a setting away.
 * @throws {AppError} `invalid`, each fault at `/settings/<name>`
 */
export function mergeSettings(
  ctx: Pick<Ctx, 'runtime'>,
  manifest: Manifest,
  installationId: string,
  present: Settings,
  typed: Record<string, SettingValue | null>,
): StoredSettings {
  const secret = listSecretNames(manifest)
  const made = listGeneratedNames(manifest)
  const given = Object.fromEntries(Object.entries(typed).filter(([name]) => !made.has(name)))
  const moves = [...listDestinationNames(manifest)].some((name) => name in given && given[name] !== present[name])
  // Whoever names another address must hold the credentials themselves: kept ones are not sent there.
  const kept = moves ? Object.fromEntries(Object.entries(present).filter(([name]) => !secret.has(name))) : present
  const laid = Object.fromEntries(Object.entries({ ...kept, ...given }).filter(([, value]) => value !== null && value !== ''))
  const whole = requireValid(manifest.settings, laid, { at: '/settings' }) as Settings
  return separateSecrets(ctx, manifest, installationId, whole)
}

/** What the product itself made of an installation's settings, as it is kept. */
export function sealSettings(ctx: Pick<Ctx, 'runtime'>, row: Pick<InstallationRow, 'id' | 'integration'>, whole: Settings): StoredSettings {
  const integration = findIntegration(row.integration)
  if (!integration) throw new AppError('not-found')
  return separateSecrets(ctx, integration.manifest, row.id, whole)
}

function separateSecrets({ runtime }: Pick<Ctx, 'runtime'>, manifest: Manifest, installationId: string, whole: Settings): StoredSettings {
  const secret = listSecretNames(manifest)
  const pickSettings = (isSecret: boolean) => Object.fromEntries(Object.entries(whole).filter(([name]) => secret.has(name) === isSecret))
  const secrets = pickSettings(true)
  return {
    settings: pickSettings(false),
    sealedSecrets: Object.keys(secrets).length
      ? sealSecret(getSealingKeys(runtime), buildSealContext(installationId), JSON.stringify(secrets))
      : null,
  }
}
