import { createServerFn } from '@tanstack/react-start'
import { getSiteFrame } from './sites.server.ts'

export const readSiteFrame = createServerFn().handler(({ context }) => getSiteFrame(context.ctx))
