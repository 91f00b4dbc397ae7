import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { readClientAddress, isSecure, detectLanguageWithoutSite, readCookies } from './request-facts.ts'

const from = (remoteAddress: string | undefined, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage

describe('the client’s address', () => {
  test('is the socket’s, whatever the headers say, unless proxies are trusted', () => {
    const spoofed = { 'x-forwarded-for': '1.1.1.1', forwarded: 'for=1.1.1.1', 'x-real-ip': '1.1.1.1', 'x-parley-address': '1.1.1.1' }
    expect(readClientAddress(from('203.0.113.9', spoofed), 0)).toBe('203.0.113.9')
    expect(readClientAddress(from('::ffff:203.0.113.9', spoofed), 0)).toBe('203.0.113.9')
    expect(readClientAddress(from(undefined), 0)).toBeNull()
  })

  test('is what the outermost trusted proxy wrote, counted from the right', () => {
    expect(readClientAddress(from('10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 203.0.113.9' }), 1)).toBe('203.0.113.9')
    expect(readClientAddress(from('10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 203.0.113.9, 10.0.0.2' }), 2)).toBe('203.0.113.9')
    expect(readClientAddress(from('10.0.0.1', { 'x-forwarded-for': '[2001:db8::1]:443' }), 1)).toBe('2001:db8::1')
    expect(readClientAddress(from('10.0.0.1', { 'x-forwarded-for': '203.0.113.9:5000' }), 1)).toBe('203.0.113.9')
  })

  test.each(['', 'unknown', "'; drop table users", '999.1.1.1'])('is the socket’s if the proxy wrote %j', (written) => {
    expect(readClientAddress(from('10.0.0.1', { 'x-forwarded-for': written }), 1)).toBe('10.0.0.1')
  })
})

describe('https', () => {
  test('follows PUBLIC_URL, else the trusted proxy', () => {
    const proxied = from('10.0.0.1', { 'x-forwarded-proto': 'https' })
    expect(isSecure(proxied, { TRUSTED_PROXIES: 0 })).toBe(false)
    expect(isSecure(proxied, { TRUSTED_PROXIES: 1 })).toBe(true)
    expect(isSecure(from('10.0.0.1', { 'x-forwarded-proto': 'https, http' }), { TRUSTED_PROXIES: 1 })).toBe(false)
    expect(isSecure(from('10.0.0.1'), { TRUSTED_PROXIES: 0, PUBLIC_URL: 'https://parley.example' })).toBe(true)
  })
})

test('without a site, the language is the address’s, else the browser’s, else English', () => {
  expect(detectLanguageWithoutSite('/cy/projects', 'fr')).toBe('cy')
  expect(detectLanguageWithoutSite('/projects', 'de, fr-FR;q=0.8, en;q=0.5')).toBe('fr-CA')
  expect(detectLanguageWithoutSite('/projects', null)).toBe('en')
})

test('the first of two cookies with the same name counts, and malformed ones are skipped', () => {
  expect([...readCookies('a=1; a=2; =x; broken; b = y ')]).toEqual([
    ['a', '1'],
    ['b', 'y'],
  ])
})
