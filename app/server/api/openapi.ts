import type { Registry } from './create-registry.ts'

export const openApi = (registry: Registry): unknown => ({ openapi: '3.1.0', paths: {}, x: registry.resources.length })
