import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { checked, noInput } from '#app/lib/validate.ts'
import { embedDomainSchema, hostSchema } from './embeds.schema.ts'
import { allowDomain, readEmbedSettings, removeDomain } from './embeds.server.ts'

export const getEmbedSettings = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readEmbedSettings(context.ctx))

export const saveEmbedDomain = createServerFn({ method: 'POST' })
  .validator(checked(embedDomainSchema))
  .handler(({ context, data }) => allowDomain(context.ctx, data))

export const dropEmbedDomain = createServerFn({ method: 'POST' })
  .validator(checked(v.object({ host: hostSchema })))
  .handler(({ context, data }) => removeDomain(context.ctx, data.host))
