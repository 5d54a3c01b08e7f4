/** The schema inside a WSDL as a separate document, with the prefixes that are declared around it. */
export function schemaIn(wsdl: string, namespace: string): string {
  const schema = /<s:schema elementFormDefault[\s\S]*?<\/s:schema>/.exec(wsdl)?.[0]
  if (schema === undefined) throw new Error('The WSDL holds no schema.')
  return schema.replace('<s:schema', `<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:tns="${namespace}"`)
}
