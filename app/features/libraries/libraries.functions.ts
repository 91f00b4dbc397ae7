import { createServerFn } from '@tanstack/react-start'
import { readLibrariesDetails, readPublicConfig } from './libraries.server.ts'

export const getLibrariesDetails = createServerFn().handler(({ context }) => readLibrariesDetails(context.ctx))

export const getPublicConfig = createServerFn().handler(({ context }) => readPublicConfig(context.ctx))
