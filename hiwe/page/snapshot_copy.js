// The rendered document as inert HTML: nothing of the live page is touched.

/** Children as a person sees the tree: shadow roots and slots followed. */
const childrenOf = (node) => {
  if (node.shadowRoot) return node.shadowRoot.childNodes;
  if (node.localName === 'slot' && node.assignedNodes) {
    const given = node.assignedNodes();
    if (given.length) return given;
  }
  return node.childNodes;
};

/** The document inside a frame of the same process, null for any other. */
const innerDocument = (frame) => {
  try {
    const doc = frame.contentDocument;
    return doc && doc.documentElement ? doc : null;
  } catch (error) {
    if (error.name === 'SecurityError') return null;
    throw error;
  }
};

const reflect = (el, copy) => {
  const tag = el.localName;
  if (tag === 'input') {
    const kind = el.type;
    if (kind === 'checkbox' || kind === 'radio') copy.toggleAttribute('checked', el.checked);
    else if (kind !== 'file' && kind !== 'password') copy.setAttribute('value', el.value);
  } else if (tag === 'option') copy.toggleAttribute('selected', el.selected);
};

/** HTML text of the document with the walk's findings marked: hiwe-hidden, hiwe-click. */
const inertHtml = (hidden, clickOf) => {
  const inert = document.implementation.createHTMLDocument('');
  const copyInto = (parent, node) => {
    if (node.nodeType === 3) { parent.appendChild(inert.createTextNode(node.data)); return; }
    if (node.nodeType !== 1) return;
    const tag = node.localName;
    const inner = tag === 'iframe' || tag === 'frame' ? innerDocument(node) : null;
    const copy = inner ? inert.createElement('div') : inert.importNode(node, false);
    if (inner) copy.setAttribute('hiwe-frame', inner.URL);
    if (hidden.has(node)) copy.setAttribute('hiwe-hidden', '');
    if (clickOf.has(node)) copy.setAttribute('hiwe-click', clickOf.get(node));
    reflect(node, copy);
    parent.appendChild(copy);
    if (tag === 'textarea') { copy.textContent = node.value; return; }
    if (tag === 'template') return;
    const from = inner ? (inner.body || inner.documentElement).childNodes : childrenOf(node);
    for (const child of from) copyInto(copy, child);
  };
  const holder = inert.createElement('div');
  copyInto(holder, document.documentElement);
  return `<!DOCTYPE html>\n${holder.firstChild.outerHTML}`;
};
