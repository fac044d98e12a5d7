/** A file as text, taken up when the tests are bundled: workerd has no files to read. */
declare module '*?raw' {
  const text: string;
  export default text;
}
