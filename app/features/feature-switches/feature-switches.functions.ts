import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'
import { readFeatures, readSiteFeatures } from './feature-switches.server.ts'

export const getFeatures = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => ({ features: await readFeatures(context.ctx) }))

export const getSiteFeatures = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => ({
    siteFeatures: { features: await readSiteFeatures(context.ctx) },
  }))
