#!/usr/bin/env node
// `npx cashwrap-types` writes declarations of a company's own columns, from the document that its key sees.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { companyTypes } from '../dist/company-types.js'

const usage = `Usage: cashwrap-types --url https://pos.example.com [--out cashwrap.d.ts]

Writes a declaration file with the columns that your company's own tables add to customers.
The company's key is read from the environment variable CASHWRAP_API_KEY.`

/** The document that a key sees, or without one the document that everybody gets. Throws an error that says what is wrong. */
async function read(url, key) {
  const address = `${url.replace(/\/+$/, '')}/v1/openapi.json`
  const [status, text] = await fetch(address, { headers: key ? { 'x-api-key': key } : {} })
    .then(async (response) => [response.status, await response.text()])
    .catch(({ message, cause }) => {
      throw new Error(`${address} cannot be read: ${cause?.message || cause?.code || message}`)
    })
  const document = parsed(text)
  if (document?.openapi !== undefined) return document
  throw new Error(
    document?.detail
      ? `${address} answered ${status}: ${document.detail}`
      : `${address} is not the document of Cashwrap, but an answer with the status ${status}: is --url right?`,
  )
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

try {
  const options = {
    url: { type: 'string' },
    out: { type: 'string', default: 'cashwrap.d.ts' },
    help: { type: 'boolean' },
  }
  const { values } = parseArgs({ options })
  const key = process.env.CASHWRAP_API_KEY
  if (values.help) console.log(usage)
  else if (!values.url || !key) throw new Error(usage)
  else {
    const [own, plain] = await Promise.all([read(values.url, key), read(values.url)])
    await writeFile(values.out, companyTypes(own, plain))
    console.log(`${values.out} is written.`)
  }
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
