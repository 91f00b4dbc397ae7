import { destinationNames, madeNames, secretNames } from './fields.ts'
import type { InstallationRow } from './installations.server.ts'
import { integrationOf } from './integrations/registry.server.ts'
import type { Manifest, Settings, SettingValue } from './marketplace.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import { parse } from '#app/lib/validate.ts'
import type { Ctx } from '#app/server/context.ts'
import { seal, sealingKeys, unseal } from '#app/server/crypto/seal.ts'

/** Where an installation's credentials are kept, as their seal names it. */
export const secretsPlace = (installationId: string): string => `installations/${installationId}/secrets`

/** What is kept of settings: the secret ones sealed, the rest as it is. */
export interface KeptSettings {
  settings: Settings
  sealedSecrets: string | null
}

/** All settings of an installation, with its secrets: for its integration's code alone. */
export function openSettings({ runtime }: Pick<Ctx, 'runtime'>, row: Pick<InstallationRow, 'id' | 'settings' | 'sealedSecrets'>): Settings {
  const text = row.sealedSecrets === null ? undefined : unseal(sealingKeys(runtime), secretsPlace(row.id), row.sealedSecrets)
  return { ...row.settings, ...(text ? (JSON.parse(text) as Settings) : {}) }
}

/** Names of the secrets that are set. */
export function secretsSet(
  ctx: Pick<Ctx, 'runtime'>,
  row: Pick<InstallationRow, 'id' | 'integration' | 'settings' | 'sealedSecrets'>,
): string[] {
  const integration = integrationOf(row.integration)
  const names = integration ? secretNames(integration.manifest) : new Set<string>()
  return Object.keys(openSettings(ctx, row)).filter((name) => names.has(name))
}

/**
 * Lays what was given over what there is and checks the whole by the manifest. Null takes a setting away.
 * @throws {AppError} `invalid`, each fault at `/settings/<name>`
 */
export function keepSettings(
  ctx: Pick<Ctx, 'runtime'>,
  manifest: Manifest,
  installationId: string,
  present: Settings,
  typed: Record<string, SettingValue | null>,
): KeptSettings {
  const secret = secretNames(manifest)
  const made = madeNames(manifest)
  const given = Object.fromEntries(Object.entries(typed).filter(([name]) => !made.has(name)))
  const moves = [...destinationNames(manifest)].some((name) => name in given && given[name] !== present[name])
  // Whoever names another address must hold the credentials themselves: kept ones are not sent there.
  const kept = moves ? Object.fromEntries(Object.entries(present).filter(([name]) => !secret.has(name))) : present
  const laid = Object.fromEntries(Object.entries({ ...kept, ...given }).filter(([, value]) => value !== null && value !== ''))
  const whole = parse(manifest.settings, laid, { at: '/settings' }) as Settings
  return apart(ctx, manifest, installationId, whole)
}

/** What the product itself made of an installation's settings, as it is kept. */
export function keepSecrets(ctx: Pick<Ctx, 'runtime'>, row: Pick<InstallationRow, 'id' | 'integration'>, whole: Settings): KeptSettings {
  const integration = integrationOf(row.integration)
  if (!integration) throw new AppError('not-found')
  return apart(ctx, integration.manifest, row.id, whole)
}

function apart({ runtime }: Pick<Ctx, 'runtime'>, manifest: Manifest, installationId: string, whole: Settings): KeptSettings {
  const secret = secretNames(manifest)
  const of = (isSecret: boolean) => Object.fromEntries(Object.entries(whole).filter(([name]) => secret.has(name) === isSecret))
  const secrets = of(true)
  return {
    settings: of(false),
    sealedSecrets: Object.keys(secrets).length ? seal(sealingKeys(runtime), secretsPlace(installationId), JSON.stringify(secrets)) : null,
  }
}
