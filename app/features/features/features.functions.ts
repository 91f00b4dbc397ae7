import { createServerFn } from '@tanstack/react-start'
import { readFeatures, readSiteFeatures } from './features.server.ts'

export const getFeatures = createServerFn().handler(async ({ context }) => ({ features: await readFeatures(context.ctx) }))

export const getSiteFeatures = createServerFn().handler(async ({ context }) => ({
  siteFeatures: { features: await readSiteFeatures(context.ctx) },
}))
