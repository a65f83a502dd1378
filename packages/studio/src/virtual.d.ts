/** The built template of the report; see reportTemplate.ts. */
declare module 'virtual:report-template' {
  const html: string
  export default html
}
