/*! torusim view, Apache 2.0, built from sources 3b805ca45158a14f6fd61296eabf0a96b52a37b38f00b54e993232767a7e8f76. It contains:

fzstd 0.1.1

MIT License

Copyright (c) 2020 Arjun Barrett

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.

hyparquet 1.33.0

The MIT License (MIT)

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

three 0.187.0

The MIT License

Copyright © 2010-2026 three.js authors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

uplot 1.6.32

The MIT License (MIT)

Copyright (c) 2022 Leon Sorokin

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

*/
function e(e,n={},...r){let i=document.createElement(e);for(let[e,t]of Object.entries(n))t!=null&&t!==!1&&(typeof t==`function`?i.addEventListener(e.slice(2).toLowerCase(),t):i.setAttribute(e,t===!0?``:String(t)));return t(i,r),i}function t(e,t){for(let n of t)n!=null&&n!==!1&&e.append(typeof n==`number`?String(n):n)}function n(e,...n){let i=e.contains(document.activeElement)?document.activeElement:null,a=i?r(e).indexOf(i):-1;if(e.replaceChildren(),t(e,n),!i||a<0)return;let o=r(e);(o.find(({textContent:e})=>e===i.textContent)??o[a])?.focus({preventScroll:!0})}function r(e){return[...e.querySelectorAll(`button, input, select, summary`)]}function i(e,t={},n=``){let r=document.createElementNS(`http://www.w3.org/2000/svg`,e);for(let[e,n]of Object.entries(t))r.setAttribute(e,String(n));return n&&(r.textContent=n),r}function a(t,r,i,a){let o=e(`select`,{title:r,onchange:()=>a(o.value)}),s=``,c=t=>{let r=JSON.stringify(t);r!==s&&(s=r,n(o,...t.map(({value:t,text:n})=>e(`option`,{value:t},n))))};return c(i),{element:e(`label`,{class:`field`,title:r},e(`span`,{},t),o),select:o,setOptions:c}}function o(t,n,r,i=``){return e(`button`,{type:`button`,title:n,"aria-label":/\w/.test(t)?null:n,class:i,onclick:r},t)}function s(t){return e(`div`,{class:`scrolling`},t)}function c(t,n,r,i=``){return e(`table`,{class:i},e(`caption`,{},t),e(`thead`,{},e(`tr`,{},...n.map(t=>e(`th`,{scope:`col`},t)))),e(`tbody`,{},...r.map(t=>e(`tr`,{},...t.map(t=>e(`td`,{},t))))))}function l(e,t,n){let r=new URLSearchParams,i=(e,t,n)=>{t!==n&&r.set(e,String(t??`all`))};i(`t`,e.time,t.time),i(`q`,e.quantity,t.quantity),i(`scale`,e.scale,t.scale),i(`hide`,e.hide,t.hide),i(`slice`,p(e.slice,n[0]),``),i(`explode`,h(e.explode,n[0]),``);for(let n of[`wraps`,`outer`,`nodes`,`messages`,`compare`,`theme`,`run`])i(n,e[n],t[n]);i(`ring`,+!!e.ring,+!!t.ring);let a=n[e.run]??n[0],{selection:o,route:s}=e;return o&&i(`ask`,`node`in o?a.nodeName(o.node):a.linkName(o.link),``),s&&i(`route`,`${a.nodeName(s.source)}-${a.nodeName(s.target)}`,``),i(`camera`,y(e.camera),y(t.camera)),r.toString().replace(/%2C/g,`,`).replace(/%3A/g,`:`).replace(/%28/g,`(`).replace(/%29/g,`)`)}function u(e,t,n){let r=new URLSearchParams(e.replace(/^#/,``)),i={...t},a=e=>r.get(e),o=(e,t,n)=>t.find(t=>t===a(e))??n;a(`t`)&&(i.time=a(`t`)===`all`?null:d(a(`t`),t.time)),i.quantity=a(`q`)??t.quantity,i.scale=o(`scale`,[`largest`,`full`],t.scale),i.hide=f(a(`hide`),t.hide),i.slice=m(a(`slice`)??``,n[0]),i.explode=g(a(`explode`)??``,n[0]),i.wraps=o(`wraps`,[`arcs`,`stubs`,`hidden`,`folded`],t.wraps),i.outer=o(`outer`,[`arcs`,`stubs`,`hidden`],t.outer),i.nodes=o(`nodes`,[`plain`,`rank`,`group`,`injected`,`delivered`,`hidden`],t.nodes),i.messages=o(`messages`,[`none`,`now`],`none`),/^\d+$/.test(a(`messages`)??``)&&(i.messages=Number(a(`messages`))),i.compare=o(`compare`,[`both`,`first`,`second`,`difference`],t.compare),i.theme=o(`theme`,[`auto`,`dark`,`light`],t.theme),i.run=Math.min(d(a(`run`),0)??0,n.length-1),i.ring=a(`ring`)?a(`ring`)===`1`:t.ring;let s=n[i.run];return i.selection=_(a(`ask`),s),i.route=v(a(`route`),s),i.camera=b(a(`camera`),t.camera),i}function d(e,t){return e!==null&&/^\d+$/.test(e)?Number(e):t}function f(e,t){let n=e===null?NaN:Number(e);return Number.isFinite(n)?Math.min(1,Math.max(0,n)):t}function p(e,t){let{dimensions:n}=t.facts;return e.map((e,t)=>e?`${n[t]}:${e[0]===e[1]?e[0]:`${e[0]}-${e[1]}`}`:``).filter(e=>e).join(`,`)}function m(e,t){let{dimensions:n,shape:r}=t.facts,i=r.map(()=>null);for(let t of e.split(`,`)){let e=t.match(/^([a-z]):(\d+)(?:-(\d+))?$/),a=e?n.indexOf(e[1]):-1;if(!e||a<0)continue;let[o,s]=[Number(e[2]),Number(e[3]??e[2])];o<=s&&s<r[a]&&(i[a]=[o,s])}return i}function h(e,t){return e?`${t.facts.dimensions[e.dimension]}:${e.gap}`:``}function g(e,t){let[n,r]=e.split(`:`),i=t.facts.dimensions.indexOf(n),a=Number(r);return i>=0&&a>0&&a<=10?{dimension:i,gap:a}:null}function _(e,t){let n=e?t.parse(e):null;return n&&!(`problem`in n)?n:null}function v(e,t){let n=(e??``).split(`-`).map(e=>t.parse(e)),[r,i]=n;return n.length===2&&`node`in r&&`node`in i?{source:r.node,target:i.node}:null}function y({yaw:e,pitch:t,zoom:n,shift:r}){return[e,t,n,...r].map(e=>Number(e.toFixed(3))).join(`,`)}function b(e,t){let n=(e??``).split(`,`).map(Number);if(n.length!==6||!n.every(Number.isFinite))return t;let[r,i,a,o,s,c]=n;return{yaw:r,pitch:i,zoom:Math.min(4,Math.max(.02,a)),shift:[o,s,c]}}var x=class{store;format;parse;writing=0;constructor(e,t,n){this.store=e,this.format=t,this.parse=n,window.addEventListener(`hashchange`,this.read)}get url(){let[e]=location.href.split(`#`);return this.text?`${e}#${this.text}`:e}write(){window.clearTimeout(this.writing),this.writing=window.setTimeout(()=>{this.text!==location.hash.slice(1)&&history.replaceState(null,``,`#${this.text}`)},150)}dispose(){window.clearTimeout(this.writing),window.removeEventListener(`hashchange`,this.read)}get text(){return this.format(this.store.state)}read=()=>{let e=this.parse();this.format(e)!==this.text&&this.store.set(e)}};function S(e,t,n){let r=e.get(t);if(r!==void 0)return r;let i=n();return e.set(t,i),i}var C=class{facts;nodes;source;target;direction;isWrap;deadNodes;strides;rows;constructor(e,t,n){this.facts=e,this.strides=e.shape.map((t,n)=>e.shape.slice(0,n).reduce((e,t)=>e*t,1)),this.nodes=e.shape.reduce((e,t)=>e*t,1),this.deadNodes=new Set(e.dead_nodes),this.source=t.integers(`node`),this.direction=Uint8Array.from(this.directionsOf(t.texts(`direction`))),this.target=n.integers(`target`),this.isWrap=Uint8Array.from(n.integers(`is_wrap`)),this.rows=new Int32Array(this.nodes*this.directions).fill(-1),this.source.forEach((e,t)=>{this.rows[e*this.directions+this.direction[t]]=t})}get links(){return this.source.length}get dimensions(){return this.facts.shape.length}get directions(){return 2*this.dimensions}coordinate(e,t){return Math.floor(e/this.strides[t])%this.facts.shape[t]}coordinates(e){return this.facts.shape.map((t,n)=>this.coordinate(e,n))}nodeAt(e){let{shape:t}=this.facts;return e.length!==t.length||e.some((e,n)=>!Number.isInteger(e)||e<0||e>=t[n])?null:e.reduce((e,t,n)=>e+t*this.strides[n],0)}linkFrom(e,t){let n=this.rows[e*this.directions+t];return n===void 0||n<0?null:n}linksFrom(e){return Array.from({length:this.directions},(t,n)=>this.linkFrom(e,n)).filter(e=>e!==null)}neighbor(e,t){let n=this.linkFrom(e,t);return n===null?null:this.target[n]}directionName(e){return this.facts.dimensions[e>>1]+(e&1?`-`:`+`)}directionOf(e){let t=this.facts.dimensions.indexOf(e.slice(0,-1)),n=`+-`.indexOf(e.slice(-1));return t<0||n<0?-1:2*t+n}directionsOf(e){let t=new Map;return e.map(e=>S(t,e,()=>this.directionOf(e)))}nodeName(e){return this.dimensions===1?`(${e})`:`(${this.coordinates(e).join(`,`)})`}linkName(e){return`${this.nodeName(this.source[e])} ${this.directionName(this.direction[e])}`}parse(e){let t=e.trim().match(/^\(?\s*([\d\s,]+?)\s*\)?\s*(?:([a-z])\s*([+-]))?$/i);if(!t)return{problem:`Write a node as 12 or ${this.nodeName(0)}, a link as ${this.example}.`};let n=t[1].split(/[\s,]+/).map(Number),r=n.length===1?this.nodeOf(n[0]):this.nodeAt(n);if(r===null)return{problem:`There is no such node: the machine is ${this.facts.shape.join(`x`)}.`};if(!t[2])return{node:r};let i=this.directionOf(t[2].toLowerCase()+t[3]),a=i<0?null:this.linkFrom(r,i);return a===null?{problem:`Node ${this.nodeName(r)} has no such link.`}:{link:a}}nodeOf(e){return e<this.nodes?e:null}get example(){return this.links>0?this.linkName(0):`(0,0,0) x+`}},w=ArrayBuffer,T=Uint8Array,E=Uint16Array,D=Int16Array,O=Int32Array,k=function(e,t,n){if(T.prototype.slice)return T.prototype.slice.call(e,t,n);(t==null||t<0)&&(t=0),(n==null||n>e.length)&&(n=e.length);var r=new T(n-t);return r.set(e.subarray(t,n)),r},A=function(e,t,n,r){if(T.prototype.fill)return T.prototype.fill.call(e,t,n,r);for((n==null||n<0)&&(n=0),(r==null||r>e.length)&&(r=e.length);n<r;++n)e[n]=t;return e},j=function(e,t,n,r){if(T.prototype.copyWithin)return T.prototype.copyWithin.call(e,t,n,r);for((n==null||n<0)&&(n=0),(r==null||r>e.length)&&(r=e.length);n<r;)e[t++]=e[n++]},M=[`invalid zstd data`,`window size too large (>2046MB)`,`invalid block type`,`FSE accuracy too high`,`match distance too far back`,`unexpected EOF`],N=function(e,t,n){var r=Error(t||M[e]);if(r.code=e,Error.captureStackTrace&&Error.captureStackTrace(r,N),!n)throw r;return r},P=function(e,t,n){for(var r=0,i=0;r<n;++r)i|=e[t++]<<(r<<3);return i},F=function(e,t){return(e[t]|e[t+1]<<8|e[t+2]<<16|e[t+3]<<24)>>>0},I=function(e,t){var n=e[0]|e[1]<<8|e[2]<<16;if(n==3126568&&e[3]==253){var r=e[4],i=r>>5&1,a=r>>2&1,o=r&3,s=r>>6;r&8&&N(0);var c=6-i,l=o==3?4:o,u=P(e,c,l);c+=l;var d=s?1<<s:i,f=P(e,c,d)+(s==1&&256),p=f;if(!i){var m=1<<10+(e[5]>>3);p=m+(m>>3)*(e[5]&7)}p>2145386496&&N(1);var h=new T((t==1?f||p:t?0:p)+12);return h[0]=1,h[4]=4,h[8]=8,{b:c+d,y:0,l:0,d:u,w:t&&t!=1?t:h.subarray(12),e:p,o:new O(h.buffer,0,3),u:f,c:a,m:Math.min(131072,p)}}if((n>>4|e[3]<<20)==25481893)return F(e,4)+8;N(0)},ee=function(e){for(var t=0;1<<t<=e;++t);return t-1},L=function(e,t,n){var r=(t<<3)+4,i=(e[t]&15)+5;i>n&&N(3);for(var a=1<<i,o=a,s=-1,c=-1,l=-1,u=a,d=new w(512+(a<<2)),f=new D(d,0,256),p=new E(d,0,256),m=new E(d,512,a),h=512+(a<<1),g=new T(d,h,a),_=new T(d,h+a);s<255&&o>0;){var v=ee(o+1),y=r>>3,b=(1<<v+1)-1,x=(e[y]|e[y+1]<<8|e[y+2]<<16)>>(r&7)&b,S=(1<<v)-1,C=b-o-1,O=x&S;if(O<C?(r+=v,x=O):(r+=v+1,x>S&&(x-=C)),f[++s]=--x,x==-1?(o+=x,g[--u]=s):o-=x,!x)do{var k=r>>3;c=(e[k]|e[k+1]<<8)>>(r&7)&3,r+=2,s+=c}while(c==3)}(s>255||o)&&N(0);for(var A=0,j=(a>>1)+(a>>3)+3,M=a-1,P=0;P<=s;++P){var F=f[P];if(F<1)p[P]=-F;else for(l=0;l<F;++l){g[A]=P;do A=A+j&M;while(A>=u)}}for(A&&N(0),l=0;l<a;++l){var I=p[g[l]]++,L=_[l]=i-ee(I);m[l]=(I<<L)-a}return[r+7>>3,{b:i,s:g,n:_,t:m}]},R=function(e,t){var n=0,r=-1,i=new T(292),a=e[t],o=i.subarray(0,256),s=i.subarray(256,268),c=new E(i.buffer,268);if(a<128){var l=L(e,t+1,6),u=l[0],d=l[1];t+=a;var f=u<<3,p=e[t];p||N(0);for(var m=0,h=0,g=d.b,_=g,v=(++t<<3)-8+ee(p);v-=g,!(v<f);){var y=v>>3;if(m+=(e[y]|e[y+1]<<8)>>(v&7)&(1<<g)-1,o[++r]=d.s[m],v-=_,v<f)break;y=v>>3,h+=(e[y]|e[y+1]<<8)>>(v&7)&(1<<_)-1,o[++r]=d.s[h],g=d.n[m],m=d.t[m],_=d.n[h],h=d.t[h]}++r>255&&N(0)}else{for(r=a-127;n<r;n+=2){var b=e[++t];o[n]=b>>4,o[n+1]=b&15}++t}var x=0;for(n=0;n<r;++n){var S=o[n];S>11&&N(0),x+=S&&1<<S-1}var C=ee(x)+1,w=1<<C,D=w-x;for(D&D-1&&N(0),o[r++]=ee(D)+1,n=0;n<r;++n){var S=o[n];++s[o[n]=S&&C+1-S]}var O=new T(w<<1),k=O.subarray(0,w),j=O.subarray(w);for(c[C]=0,n=C;n>0;--n){var M=c[n];A(j,n,M,c[n-1]=M+s[n]*(1<<C-n))}for(c[0]!=w&&N(0),n=0;n<r;++n){var P=o[n];if(P){var F=c[P];A(k,n,F,c[P]=F+(1<<C-P))}}return[t,{n:j,b:C,s:k}]},te=L(new T([81,16,99,140,49,198,24,99,12,33,196,24,99,102,102,134,70,146,4]),0,6)[1],ne=L(new T([33,20,196,24,99,140,33,132,16,66,8,33,132,16,66,8,33,68,68,68,68,68,68,68,68,36,9]),0,6)[1],z=L(new T([32,132,16,66,102,70,68,68,68,68,36,73,2]),0,5)[1],B=function(e,t){for(var n=e.length,r=new O(n),i=0;i<n;++i)r[i]=t,t+=1<<e[i];return r},re=new T(new O([0,0,0,0,16843009,50528770,134678020,202050057,269422093]).buffer,0,36),ie=B(re,0),ae=new T(new O([0,0,0,0,0,0,0,0,16843009,50528770,117769220,185207048,252579084,16]).buffer,0,53),oe=B(ae,3),se=function(e,t,n){var r=e.length,i=t.length,a=e[r-1],o=(1<<n.b)-1,s=-n.b;a||N(0);for(var c=0,l=n.b,u=(r<<3)-8+ee(a)-l,d=-1;u>s&&d<i;){var f=u>>3,p=(e[f]|e[f+1]<<8|e[f+2]<<16)>>(u&7);c=(c<<l|p)&o,t[++d]=n.s[c],u-=l=n.n[c]}(u!=s||d+1!=i)&&N(0)},ce=function(e,t,n){var r=6,i=t.length+3>>2,a=i<<1,o=i+a;se(e.subarray(r,r+=e[0]|e[1]<<8),t.subarray(0,i),n),se(e.subarray(r,r+=e[2]|e[3]<<8),t.subarray(i,a),n),se(e.subarray(r,r+=e[4]|e[5]<<8),t.subarray(a,o),n),se(e.subarray(r),t.subarray(o),n)},le=function(e,t,n){var r,i=t.b,a=e[i],o=a>>1&3;t.l=a&1;var s=a>>3|e[i+1]<<5|e[i+2]<<13,c=(i+=3)+s;if(o==1)return i>=e.length?void 0:(t.b=i+1,n?(A(n,e[i],t.y,t.y+=s),n):A(new T(s),e[i]));if(!(c>e.length)){if(o==0)return t.b=c,n?(n.set(e.subarray(i,c),t.y),t.y+=s,n):k(e,i,c);if(o==2){var l=e[i],u=l&3,d=l>>2&3,f=l>>4,p=0,m=0;u<2?d&1?f|=e[++i]<<4|(d&2&&e[++i]<<12):f=l>>3:(m=d,d<2?(f|=(e[++i]&63)<<4,p=e[i]>>6|e[++i]<<2):d==2?(f|=e[++i]<<4|(e[++i]&3)<<12,p=e[i]>>2|e[++i]<<6):(f|=e[++i]<<4|(e[++i]&63)<<12,p=e[i]>>6|e[++i]<<2|e[++i]<<10)),++i;var h=n?n.subarray(t.y,t.y+t.m):new T(t.m),g=h.length-f;if(u==0)h.set(e.subarray(i,i+=f),g);else if(u==1)A(h,e[i++],g);else{var _=t.h;if(u==2){var v=R(e,i);p+=i-(i=v[0]),t.h=_=v[1]}else _||N(0);(m?ce:se)(e.subarray(i,i+=p),h.subarray(g),_)}var y=e[i++];if(y){y==255?y=(e[i++]|e[i++]<<8)+32512:y>127&&(y=y-128<<8|e[i++]);var b=e[i++];b&3&&N(0);for(var x=[ne,z,te],S=2;S>-1;--S){var C=b>>(S<<1)+2&3;if(C==1){var w=new T([0,0,e[i++]]);x[S]={s:w.subarray(2,3),n:w.subarray(0,1),t:new E(w.buffer,0,1),b:0}}else C==2?(r=L(e,i,9-(S&1)),i=r[0],x[S]=r[1]):C==3&&(t.t||N(0),x[S]=t.t[S])}var D=t.t=x,O=D[0],j=D[1],M=D[2],P=e[c-1];P||N(0);var F=(c<<3)-8+ee(P)-M.b,I=F>>3,B=0,le=(e[I]|e[I+1]<<8)>>(F&7)&(1<<M.b)-1;I=(F-=j.b)>>3;var ue=(e[I]|e[I+1]<<8)>>(F&7)&(1<<j.b)-1;I=(F-=O.b)>>3;var de=(e[I]|e[I+1]<<8)>>(F&7)&(1<<O.b)-1;for(++y;--y;){var fe=M.s[le],pe=M.n[le],me=O.s[de],he=O.n[de],ge=j.s[ue],_e=j.n[ue];I=(F-=ge)>>3;var V=1<<ge,H=V+((e[I]|e[I+1]<<8|e[I+2]<<16|e[I+3]<<24)>>>(F&7)&V-1);I=(F-=ae[me])>>3;var U=oe[me]+((e[I]|e[I+1]<<8|e[I+2]<<16)>>(F&7)&(1<<ae[me])-1);I=(F-=re[fe])>>3;var ve=ie[fe]+((e[I]|e[I+1]<<8|e[I+2]<<16)>>(F&7)&(1<<re[fe])-1);if(I=(F-=pe)>>3,le=M.t[le]+((e[I]|e[I+1]<<8)>>(F&7)&(1<<pe)-1),I=(F-=he)>>3,de=O.t[de]+((e[I]|e[I+1]<<8)>>(F&7)&(1<<he)-1),I=(F-=_e)>>3,ue=j.t[ue]+((e[I]|e[I+1]<<8)>>(F&7)&(1<<_e)-1),H>3)t.o[2]=t.o[1],t.o[1]=t.o[0],t.o[0]=H-=3;else{var W=H-(ve!=0);W?(H=W==3?t.o[0]-1:t.o[W],W>1&&(t.o[2]=t.o[1]),t.o[1]=t.o[0],t.o[0]=H):H=t.o[0]}for(var S=0;S<ve;++S)h[B+S]=h[g+S];B+=ve,g+=ve;var ye=B-H;if(ye<0){var G=-ye,K=t.e+ye;G>U&&(G=U);for(var S=0;S<G;++S)h[B+S]=t.w[K+S];B+=G,U-=G,ye=0}for(var S=0;S<U;++S)h[B+S]=h[ye+S];B+=U}if(B!=g)for(;g<h.length;)h[B++]=h[g++];else B=h.length;n?t.y+=B:h=k(h,0,B)}else if(n){if(t.y+=f,g)for(var S=0;S<f;++S)h[S]=h[g+S]}else g&&(h=k(h,g));return t.b=c,h}N(2)}},ue=function(e,t){if(e.length==1)return e[0];for(var n=new T(t),r=0,i=0;r<e.length;++r){var a=e[r];n.set(a,i),i+=a.length}return n};function de(e,t){for(var n=[],r=+!t,i=0,a=0;e.length;){var o=I(e,r||t);if(typeof o==`object`){for(r?(t=null,o.w.length==o.u&&(n.push(t=o.w),a+=o.u)):(n.push(t),o.e=0);!o.l;){var s=le(e,o,t);s||N(5),t?o.e=o.y:(n.push(s),a+=s.length,j(o.w,0,s.length),o.w.set(s,o.w.length-s.length))}i=o.b+o.c*4}else i=o;e=e.subarray(i)}return ue(n,a)}var fe=[`BOOLEAN`,`INT32`,`INT64`,`INT96`,`FLOAT`,`DOUBLE`,`BYTE_ARRAY`,`FIXED_LEN_BYTE_ARRAY`],pe=[`PLAIN`,`GROUP_VAR_INT`,`PLAIN_DICTIONARY`,`RLE`,`BIT_PACKED`,`DELTA_BINARY_PACKED`,`DELTA_LENGTH_BYTE_ARRAY`,`DELTA_BYTE_ARRAY`,`RLE_DICTIONARY`,`BYTE_STREAM_SPLIT`,`ALP`],me=[`REQUIRED`,`OPTIONAL`,`REPEATED`],he=[`UTF8`,`MAP`,`MAP_KEY_VALUE`,`LIST`,`ENUM`,`DECIMAL`,`DATE`,`TIME_MILLIS`,`TIME_MICROS`,`TIMESTAMP_MILLIS`,`TIMESTAMP_MICROS`,`UINT_8`,`UINT_16`,`UINT_32`,`UINT_64`,`INT_8`,`INT_16`,`INT_32`,`INT_64`,`JSON`,`BSON`,`INTERVAL`],ge=[`UNCOMPRESSED`,`SNAPPY`,`GZIP`,`LZO`,`BROTLI`,`LZ4`,`ZSTD`,`LZ4_RAW`],_e=[`DATA_PAGE`,`INDEX_PAGE`,`DICTIONARY_PAGE`,`DATA_PAGE_V2`],V=[`UNORDERED`,`ASCENDING`,`DESCENDING`],H=[`SPHERICAL`,`VINCENTY`,`THOMAS`,`ANDOYER`,`KARNEY`];function U(e){let t=ve(e);if(t.type===1)return{type:`Point`,coordinates:W(e,t)};if(t.type===2)return{type:`LineString`,coordinates:ye(e,t)};if(t.type===3)return{type:`Polygon`,coordinates:G(e,t)};if(t.type===4){let n=[];for(let r=0;r<t.count;r++)n.push(W(e,ve(e)));return{type:`MultiPoint`,coordinates:n}}if(t.type===5){let n=[];for(let r=0;r<t.count;r++)n.push(ye(e,ve(e)));return{type:`MultiLineString`,coordinates:n}}if(t.type===6){let n=[];for(let r=0;r<t.count;r++)n.push(G(e,ve(e)));return{type:`MultiPolygon`,coordinates:n}}if(t.type===7){let n=[];for(let r=0;r<t.count;r++)n.push(U(e));return{type:`GeometryCollection`,geometries:n}}throw Error(`Unsupported geometry type: ${t.type}`)}function ve(e){let{view:t}=e,n=t.getUint8(e.offset++)===1,r=t.getUint32(e.offset,n);e.offset+=4;let i=r%1e3,a=Math.floor(r/1e3),o=0;i>1&&i<=7&&(o=t.getUint32(e.offset,n),e.offset+=4);let s=2;return a&&s++,a===3&&s++,{littleEndian:n,type:i,dim:s,count:o}}function W(e,t){let n=[];for(let r=0;r<t.dim;r++){let r=e.view.getFloat64(e.offset,t.littleEndian);e.offset+=8,n.push(r)}return n}function ye(e,t){let n=[];for(let r=0;r<t.count;r++)n.push(W(e,t));return n}function G(e,t){let{view:n}=e,r=[];for(let i=0;i<t.count;i++){let i=n.getUint32(e.offset,t.littleEndian);e.offset+=4,r.push(ye(e,{...t,count:i}))}return r}var K=new TextDecoder,be={timestampFromMilliseconds(e){return new Date(Number(e))},timestampFromMicroseconds(e){return new Date(Number(e/1000n))},timestampFromNanoseconds(e){return new Date(Number(e/1000000n))},dateFromDays(e){return new Date(e*864e5)},stringFromBytes(e){return e&&K.decode(e)},jsonFromBytes(e){return e&&JSON.parse(K.decode(e))},geometryFromBytes(e){return e&&U({view:new DataView(e.buffer,e.byteOffset,e.byteLength),offset:0})},geographyFromBytes(e){return e&&U({view:new DataView(e.buffer,e.byteOffset,e.byteLength),offset:0})},uuidFromBytes(e){if(!e)return;let t=Array.from(e,e=>e.toString(16).padStart(2,`0`)).join(``);return t.slice(0,8)+`-`+t.slice(8,12)+`-`+t.slice(12,16)+`-`+t.slice(16,20)+`-`+t.slice(20,32)}};function xe(e,t,n,r){if(t&&n.endsWith(`_DICTIONARY`)){let n=e;e instanceof Uint8Array&&!(t instanceof Uint8Array)&&(n=new t.constructor(e.length));for(let r=0;r<e.length;r++)n[r]=t[e[r]];return n}return Se(e,r)}function Se(e,t){let{element:n,parsers:r,utf8:i=!0,schemaPath:a}=t,{type:o,converted_type:s,logical_type:c}=n,l=n.repetition_type!==`REQUIRED`;if(o===`BYTE_ARRAY`&&n.name===`inline`&&a?.at(-2)?.element.logical_type?.type===`FILE`||a?.some(e=>e.element.logical_type?.type===`VARIANT`)&&o===`BYTE_ARRAY`&&s!==`UTF8`&&c?.type!==`STRING`)return e;if(s===`DECIMAL`){let t=n.scale||0,r=10**t,i=Array(e.length);for(let n=0;n<i.length;n++)e[n]instanceof Uint8Array?i[n]=t>308?Ce(e[n])*10**-t:Ce(e[n])/r:i[n]=Number(e[n])/r;return i}if(!s&&o===`INT96`)return Array.from(e).map(e=>r.timestampFromNanoseconds(we(e)));if(s===`DATE`)return Array.from(e).map(e=>r.dateFromDays(e));if(s===`TIMESTAMP_MILLIS`)return Array.from(e).map(e=>r.timestampFromMilliseconds(e));if(s===`TIMESTAMP_MICROS`)return Array.from(e).map(e=>r.timestampFromMicroseconds(e));if(s===`JSON`)return e.map(e=>r.jsonFromBytes(e));if(s===`BSON`)throw Error(`parquet bson not supported`);if(s===`INTERVAL`)throw Error(`parquet interval not supported`);if(c?.type===`GEOMETRY`)return e.map(e=>r.geometryFromBytes(e));if(c?.type===`GEOGRAPHY`)return e.map(e=>r.geographyFromBytes(e));if(c?.type===`UUID`)return e.map(e=>r.uuidFromBytes(e));if(s===`UTF8`||c?.type===`STRING`||i&&o===`BYTE_ARRAY`)return e.map(e=>r.stringFromBytes(e));if(s===`UINT_64`||c?.type===`INTEGER`&&c.bitWidth===64&&!c.isSigned){if(e instanceof BigInt64Array)return new BigUint64Array(e.buffer,e.byteOffset,e.length);let t=l?Array(e.length):new BigUint64Array(e.length);for(let n=0;n<t.length;n++)t[n]=e[n];return t}if(s===`UINT_32`||c?.type===`INTEGER`&&c.bitWidth===32&&!c.isSigned){if(e instanceof Int32Array)return new Uint32Array(e.buffer,e.byteOffset,e.length);let t=l?Array(e.length):new Uint32Array(e.length);for(let n=0;n<t.length;n++)t[n]=e[n]<0?4294967296+e[n]:e[n];return t}if(c?.type===`FLOAT16`)return Array.from(e).map(Te);if(c?.type===`TIMESTAMP`){let{unit:t}=c,n=r.timestampFromMilliseconds;t===`MICROS`&&(n=r.timestampFromMicroseconds),t===`NANOS`&&(n=r.timestampFromNanoseconds);let i=Array(e.length);for(let t=0;t<i.length;t++)i[t]=n(e[t]);return i}return e}function Ce(e){if(!e.length)return 0;let t=0n;for(let n of e)t=t*256n+BigInt(n);let n=e.length*8;return t>=2n**BigInt(n-1)&&(t-=2n**BigInt(n)),Number(t)}function we(e){let t=(e>>64n)-2440588n,n=e&18446744073709551615n;return t*86400000000000n+n}function Te(e){if(!e)return;let t=e[1]<<8|e[0],n=t>>15?-1:1,r=t>>10&31,i=t&1023;return r===0?n*2**-14*(i/1024):r===31?i?NaN:n*(1/0):n*2**(r-15)*(1+i/1024)}function Ee(e,t,n){let r=e[t],i=[],a=1;if(r.num_children)for(;i.length<r.num_children;){let r=e[t+a],o=Ee(e,t+a,[...n,r.name]);a+=o.count,i.push(o)}return{count:a,element:r,children:i,path:n}}function De(e,t){return Oe(Ee(e,0,[]),t)}function Oe(e,t){let n=[e];for(let r of t){let i=e.children.find(e=>e.element.name===r);if(!i)throw Error(`parquet schema element not found: ${t}`);n.push(i),e=i}return n}function ke(e){let t=[];function n(e){if(e.children.length)for(let t of e.children)n(t);else t.push(e.path.join(`.`))}return n(e),t}function Ae(e){let t=0;for(let{element:n}of e)n.repetition_type===`REPEATED`&&t++;return t}function je(e){let t=0;for(let{element:n}of e.slice(1))n.repetition_type!==`REQUIRED`&&t++;return t}function Me(e){if(!e||e.element.converted_type!==`LIST`||e.children.length>1)return!1;let t=e.children[0];return!(t.children.length>1||t.element.repetition_type!==`REPEATED`)}function Ne(e){if(!e||e.element.converted_type!==`MAP`||e.children.length>1)return!1;let t=e.children[0];return t.children.length===2&&t.element.repetition_type===`REPEATED`&&t.children.find(e=>e.element.name===`key`)?.element.repetition_type!==`REPEATED`&&t.children.find(e=>e.element.name===`value`)?.element.repetition_type!==`REPEATED`}function Pe(e){if(e.length!==2)return!1;let[,t]=e;return!(t.element.repetition_type===`REPEATED`||t.children.length)}var Fe=0,Ie=1,Le=2,Re=3,ze=4,Be=5,Ve=6,He=7,Ue=8,We=9,Ge=12;function Ke(e){let t={},n=0;for(;;){if(e.offset>=e.view.byteLength)throw Error(`thrift struct ended without STOP`);let r=e.view.getUint8(e.offset++),i=r&15;if(i===Fe)break;let a=r>>4;n=a?n+a:Xe(e),t[`field_${n}`]=qe(e,i)}return t}function qe(e,t){switch(t){case Ie:return!0;case Le:return!1;case Re:return e.view.getInt8(e.offset++);case ze:case Be:return Xe(e);case Ve:return Ze(e);case He:{let t=e.view.getFloat64(e.offset,!0);return e.offset+=8,t}case Ue:{let t=Je(e);if(e.offset+t>e.view.byteLength)throw Error(`thrift binary length ${t} exceeds remaining ${e.view.byteLength-e.offset} bytes`);let n=new Uint8Array(e.view.buffer,e.view.byteOffset+e.offset,t);return e.offset+=t,n}case We:{let t=e.view.getUint8(e.offset++),n=t&15,r=t>>4;r===15&&(r=Je(e));let i=n===Ie||n===Le,a=Array(r);for(let t=0;t<r;t++)a[t]=i?qe(e,Re)===1:qe(e,n);return a}case Ge:return Ke(e);default:throw Error(`thrift unhandled type: ${t}`)}}function Je(e){let t=0,n=0;for(;;){let r=e.view.getUint8(e.offset++);if(t|=(r&127)<<n,!(r&128))return t;n+=7}}function Ye(e){let t=0n,n=0n;for(;;){let r=e.view.getUint8(e.offset++);if(t|=BigInt(r&127)<<n,!(r&128))return t;n+=7n}}function Xe(e){let t=Je(e);return t>>>1^-(t&1)}function Ze(e){let t=Ye(e);return t>>1n^-(t&1n)}function Qe(e,t){let n=new Map,r=t?.find(({key:e})=>e===`geo`)?.value,i=(r&&JSON.parse(r)?.columns)??{};for(let[e,t]of Object.entries(i)){if(t.encoding!==`WKB`)continue;let r=t.edges===`spherical`?`GEOGRAPHY`:`GEOMETRY`,i=t.crs?.id??t.crs?.ids?.[0],a=i?`${i.authority}:${i.code.toString()}`:void 0;n.set(e,{type:r,crs:a})}for(let t=1;t<e.length;t++){let{logical_type:r,name:i,num_children:a,type:o}=e[t];a?t+=a:o===`BYTE_ARRAY`&&!r&&(e[t].logical_type=n.get(i))}}var $e=1<<19,et=new TextDecoder;function tt(e){return e&&et.decode(e)}async function nt(e,{parsers:t,initialFetchSize:n=$e,geoparquet:r=!0}={}){if(!e||!(e.byteLength>=0))throw Error(`parquet expected AsyncBuffer`);let i=Math.max(0,e.byteLength-n),a=await e.slice(i,e.byteLength),o=new DataView(a);if(o.getUint32(a.byteLength-4,!0)!==827474256)throw Error(`parquet file invalid (footer != PAR1)`);let s=o.getUint32(a.byteLength-8,!0);if(s>e.byteLength-8)throw Error(`parquet metadata length ${s} exceeds available buffer ${e.byteLength-8}`);if(s+8>n){let n=e.byteLength-s-8,o=await e.slice(n,i),c=new ArrayBuffer(s+8),l=new Uint8Array(c);return l.set(new Uint8Array(o)),l.set(new Uint8Array(a),i-n),rt(c,{parsers:t,geoparquet:r})}return rt(a,{parsers:t,geoparquet:r})}function rt(e,{parsers:t,geoparquet:n=!0}={}){let r;if(e instanceof ArrayBuffer)r=new DataView(e);else if(e instanceof Uint8Array)r=new DataView(e.buffer,e.byteOffset,e.byteLength);else throw Error(`parquet expected ArrayBuffer or Uint8Array`);let i={...be,...t};if(r.byteLength<8)throw Error(`parquet file is too short`);if(r.getUint32(r.byteLength-4,!0)!==827474256)throw Error(`parquet file invalid (footer != PAR1)`);let a=r.byteLength-8,o=r.getUint32(a,!0);if(o>r.byteLength-8)throw Error(`parquet metadata length ${o} exceeds available buffer ${r.byteLength-8}`);let s=a-o,c=Ke({view:r,offset:s}),l=c.field_1,u=c.field_2.map(e=>({type:fe[e.field_1],type_length:e.field_2,repetition_type:me[e.field_3],name:tt(e.field_4),num_children:e.field_5,converted_type:he[e.field_6],scale:e.field_7,precision:e.field_8,field_id:e.field_9,logical_type:at(e.field_10)})),d=u.filter(e=>e.type),f=c.field_3,p=c.field_4.map(e=>({columns:e.field_1.map((e,t)=>({file_path:tt(e.field_1),file_offset:e.field_2,meta_data:e.field_3&&{type:fe[e.field_3.field_1],encodings:e.field_3.field_2?.map(e=>pe[e]),path_in_schema:e.field_3.field_3.map(tt),codec:ge[e.field_3.field_4],num_values:e.field_3.field_5,total_uncompressed_size:e.field_3.field_6,total_compressed_size:e.field_3.field_7,key_value_metadata:e.field_3.field_8?.map(e=>({key:tt(e.field_1),value:tt(e.field_2)})),data_page_offset:e.field_3.field_9,index_page_offset:e.field_3.field_10,dictionary_page_offset:e.field_3.field_11,statistics:st(e.field_3.field_12,d[t],i),encoding_stats:e.field_3.field_13?.map(e=>({page_type:_e[e.field_1],encoding:pe[e.field_2],count:e.field_3})),bloom_filter_offset:e.field_3.field_14,bloom_filter_length:e.field_3.field_15,size_statistics:e.field_3.field_16&&{unencoded_byte_array_data_bytes:e.field_3.field_16.field_1,repetition_level_histogram:e.field_3.field_16.field_2,definition_level_histogram:e.field_3.field_16.field_3},geospatial_statistics:e.field_3.field_17&&{bbox:e.field_3.field_17.field_1&&{xmin:e.field_3.field_17.field_1.field_1,xmax:e.field_3.field_17.field_1.field_2,ymin:e.field_3.field_17.field_1.field_3,ymax:e.field_3.field_17.field_1.field_4,zmin:e.field_3.field_17.field_1.field_5,zmax:e.field_3.field_17.field_1.field_6,mmin:e.field_3.field_17.field_1.field_7,mmax:e.field_3.field_17.field_1.field_8},geospatial_types:e.field_3.field_17.field_2}},offset_index_offset:e.field_4,offset_index_length:e.field_5,column_index_offset:e.field_6,column_index_length:e.field_7,crypto_metadata:e.field_8,encrypted_column_metadata:e.field_9})),total_byte_size:e.field_2,num_rows:e.field_3,sorting_columns:e.field_4?.map(e=>({column_idx:e.field_1,descending:e.field_2,nulls_first:e.field_3})),file_offset:e.field_5,total_compressed_size:e.field_6,ordinal:e.field_7})),m=c.field_5?.map(e=>({key:tt(e.field_1),value:tt(e.field_2)})),h=tt(c.field_6);return n&&Qe(u,m),{version:l,schema:u,num_rows:f,row_groups:p,key_value_metadata:m,created_by:h,metadata_length:o}}function it({schema:e}){return De(e,[])[0]}function at(e){return e?.field_1?{type:`STRING`}:e?.field_2?{type:`MAP`}:e?.field_3?{type:`LIST`}:e?.field_4?{type:`ENUM`}:e?.field_5?{type:`DECIMAL`,scale:e.field_5.field_1,precision:e.field_5.field_2}:e?.field_6?{type:`DATE`}:e?.field_7?{type:`TIME`,isAdjustedToUTC:e.field_7.field_1,unit:ot(e.field_7.field_2)}:e?.field_8?{type:`TIMESTAMP`,isAdjustedToUTC:e.field_8.field_1,unit:ot(e.field_8.field_2)}:e?.field_10?{type:`INTEGER`,bitWidth:e.field_10.field_1,isSigned:e.field_10.field_2}:e?.field_11?{type:`NULL`}:e?.field_12?{type:`JSON`}:e?.field_13?{type:`BSON`}:e?.field_14?{type:`UUID`}:e?.field_15?{type:`FLOAT16`}:e?.field_16?{type:`VARIANT`,specification_version:e.field_16.field_1}:e?.field_17?{type:`GEOMETRY`,crs:tt(e.field_17.field_1)}:e?.field_18?{type:`GEOGRAPHY`,crs:tt(e.field_18.field_1),algorithm:H[e.field_18.field_2]}:e?.field_19?{type:`FILE`}:e}function ot(e){if(e.field_1)return`MILLIS`;if(e.field_2)return`MICROS`;if(e.field_3)return`NANOS`;throw Error(`parquet time unit required`)}function st(e,t,n){return e&&{max:ct(e.field_1,t,n),min:ct(e.field_2,t,n),null_count:e.field_3,distinct_count:e.field_4,max_value:ct(e.field_5,t,n),min_value:ct(e.field_6,t,n),is_max_value_exact:e.field_7,is_min_value_exact:e.field_8}}function ct(e,t,n){let{type:r,converted_type:i,logical_type:a}=t;if(e===void 0)return e;if(r===`BOOLEAN`)return e[0]===1;if(r===`BYTE_ARRAY`)return n.stringFromBytes(e);let o=new DataView(e.buffer,e.byteOffset,e.byteLength);if(r===`FLOAT`&&o.byteLength===4)return o.getFloat32(0,!0);if(r===`DOUBLE`&&o.byteLength===8)return o.getFloat64(0,!0);if(r===`INT32`&&i===`DECIMAL`&&o.byteLength===4)return o.getInt32(0,!0)/10**(t.scale||0);if(r===`INT64`&&i===`DECIMAL`&&o.byteLength===8)return Number(o.getBigInt64(0,!0))/10**(t.scale||0);if(r===`INT32`&&i===`DATE`)return n.dateFromDays(o.getInt32(0,!0));if(r===`INT64`&&i===`TIMESTAMP_MILLIS`)return n.timestampFromMilliseconds(o.getBigInt64(0,!0));if(r===`INT64`&&i===`TIMESTAMP_MICROS`)return n.timestampFromMicroseconds(o.getBigInt64(0,!0));if(r===`INT64`&&a?.type===`TIMESTAMP`&&a?.unit===`NANOS`)return n.timestampFromNanoseconds(o.getBigInt64(0,!0));if(r===`INT64`&&a?.type===`TIMESTAMP`&&a?.unit===`MICROS`)return n.timestampFromMicroseconds(o.getBigInt64(0,!0));if(r===`INT64`&&a?.type===`TIMESTAMP`)return n.timestampFromMilliseconds(o.getBigInt64(0,!0));let s=i?.startsWith(`UINT_`)||a?.type===`INTEGER`&&!a.isSigned;if(r===`INT32`&&s&&o.byteLength===4)return o.getUint32(0,!0);if(r===`INT64`&&s&&o.byteLength===8)return o.getBigUint64(0,!0);if(r===`INT32`&&o.byteLength===4)return o.getInt32(0,!0);if(r===`INT64`&&o.byteLength===8)return o.getBigInt64(0,!0);if(i===`DECIMAL`){let n=t.scale||0;return n>308?Ce(e)*10**-n:Ce(e)/10**n}return a?.type===`FLOAT16`?Te(e):a?.type===`UUID`?n.uuidFromBytes(e):e}function lt(e,t,n=void 0){let r={...be,...n},i=Ke(e);return{null_pages:i.field_1,min_values:i.field_2.map(e=>ct(e,t,r)),max_values:i.field_3.map(e=>ct(e,t,r)),boundary_order:V[i.field_4],null_counts:i.field_5,repetition_level_histograms:i.field_6,definition_level_histograms:i.field_7}}function ut(e){let t=Ke(e);return{page_locations:t.field_1.map(e=>({offset:e.field_1,compressed_page_size:e.field_2,first_row_index:e.field_3})),unencoded_byte_array_data_bytes:t.field_2}}var dt=18446744073709551615n,ft=11400714785074694791n,pt=14029467366897019727n,mt=1609587929392839161n,ht=9650029242287828579n,gt=2870177450012600261n;function _t(e,t){return(e<<t|e>>64n-t)&dt}function vt(e,t){return e=e+t*pt&dt,e=_t(e,31n),e*ft&dt}function yt(e,t){return e^=vt(0n,t),e*ft+ht&dt}function bt(e,t=0n){let n=new DataView(e.buffer,e.byteOffset,e.byteLength),r=e.byteLength,i=0,a;if(r>=32){let e=t+ft+pt&dt,o=t+pt&dt,s=t,c=t-ft&dt;for(;i+32<=r;)e=vt(e,n.getBigUint64(i,!0)),i+=8,o=vt(o,n.getBigUint64(i,!0)),i+=8,s=vt(s,n.getBigUint64(i,!0)),i+=8,c=vt(c,n.getBigUint64(i,!0)),i+=8;a=_t(e,1n)+_t(o,7n)+_t(s,12n)+_t(c,18n)&dt,a=yt(a,e),a=yt(a,o),a=yt(a,s),a=yt(a,c)}else a=t+gt&dt;for(a=a+BigInt(r)&dt;i+8<=r;)a^=vt(0n,n.getBigUint64(i,!0)),a=_t(a,27n)*ft+ht&dt,i+=8;for(i+4<=r&&(a^=BigInt(n.getUint32(i,!0))*ft&dt,a=_t(a,23n)*pt+mt&dt,i+=4);i<r;)a^=BigInt(n.getUint8(i))*gt&dt,a=_t(a,11n)*ft&dt,i+=1;return a^=a>>33n,a=a*pt&dt,a^=a>>29n,a=a*mt&dt,a^=a>>32n,a}var xt=new TextEncoder,St=new Uint32Array([1203114875,1150766481,2284105051,2729912477,1884591559,770785867,2667333959,1550580529]);function Ct(e,t){return Number((e>>32n)*BigInt(t)>>32n)}function wt(e){let t=new Uint32Array(8),n=Number(e&4294967295n)|0;for(let e=0;e<8;e++)t[e]=1<<(Math.imul(n,St[e])>>>27);return t}function Tt(e,t){let n=Ct(t,e.length>>3)<<3,r=wt(t);for(let t=0;t<8;t++)if((e[n+t]&r[t])===0)return!1;return!0}function Et(e){let t=Ke(e),n=t.field_1;if(typeof n!=`number`||n<=0||n%32!=0||!t.field_2?.field_1||!t.field_3?.field_1||!t.field_4?.field_1)return;let{view:r,offset:i}=e;if(i+n>r.byteLength)throw Error(`parquet bloom filter truncated: need ${n} bytes, have ${r.byteLength-i}`);let a=new Uint32Array(n>>2);for(let e=0;e<a.length;e++)a[e]=r.getUint32(i+e*4,!0);return e.offset=i+n,{numBytes:n,blocks:a}}function Dt(e,t){if(e==null)return;let{type:n,converted_type:r,logical_type:i}=t;if(n===`BOOLEAN`)return typeof e==`boolean`?bt(new Uint8Array([+!!e])):void 0;if(n===`FLOAT`){if(typeof e!=`number`)return;let t=new ArrayBuffer(4);return new DataView(t).setFloat32(0,e,!0),bt(new Uint8Array(t))}if(n===`DOUBLE`){if(typeof e!=`number`)return;let t=new ArrayBuffer(8);return new DataView(t).setFloat64(0,e,!0),bt(new Uint8Array(t))}if(n===`INT32`){if(r===`DATE`||r===`DECIMAL`||r===`TIME_MILLIS`||i?.type===`DATE`||i?.type===`TIME`||i?.type===`DECIMAL`||typeof e!=`number`||!Number.isInteger(e))return;let t=new ArrayBuffer(4);return new DataView(t).setInt32(0,e|0,!0),bt(new Uint8Array(t))}if(n===`INT64`){if(r===`TIMESTAMP_MILLIS`||r===`TIMESTAMP_MICROS`||r===`TIME_MICROS`||r===`DECIMAL`||i?.type===`TIMESTAMP`||i?.type===`TIME`||i?.type===`DECIMAL`)return;let t;if(typeof e==`bigint`)t=e;else if(typeof e==`number`&&Number.isSafeInteger(e))t=BigInt(e);else return;let n=new ArrayBuffer(8);return new DataView(n).setBigUint64(0,BigInt.asUintN(64,t),!0),bt(new Uint8Array(n))}if(n===`BYTE_ARRAY`)return r===`JSON`||r===`BSON`||r===`DECIMAL`||i?.type===`JSON`||i?.type===`BSON`||i?.type===`VARIANT`||i?.type===`GEOMETRY`||i?.type===`GEOGRAPHY`?void 0:typeof e==`string`?bt(xt.encode(e)):e instanceof Uint8Array?bt(e):void 0;if(n===`FIXED_LEN_BYTE_ARRAY`)return r===`DECIMAL`||r===`INTERVAL`||i?.type===`DECIMAL`||i?.type===`UUID`||i?.type===`FLOAT16`||i?.type===`GEOMETRY`||i?.type===`GEOGRAPHY`?void 0:e instanceof Uint8Array?bt(e):void 0}function Ot(e){let t=new Set;return kt(e,t),t}function kt(e,t){if(e){if(`$and`in e&&Array.isArray(e.$and))for(let n of e.$and)kt(n,t);else if(`$or`in e&&Array.isArray(e.$or))for(let n of e.$or)kt(n,t);else if(!(`$nor`in e))for(let[n,r]of Object.entries(e))n.startsWith(`$`)||(typeof r==`object`&&r&&!Array.isArray(r)?(`$eq`in r||`$in`in r)&&t.add(n):t.add(n))}}function At(e,t){let n=1e4;for(let r=0;r<t.length;r+=n)e.push(...t.slice(r,r+n))}function jt(e,t,n=!0){if(n?e===t:e==t)return!0;if(!e||!t||typeof e!=`object`||typeof t!=`object`)return!1;if(e instanceof Uint8Array&&t instanceof Uint8Array){if(e.length!==t.length)return!1;for(let n=0;n<e.length;n++)if(e[n]!==t[n])return!1;return!0}if(e instanceof Date||t instanceof Date)return e instanceof Date&&t instanceof Date&&e.getTime()===t.getTime();if(Array.isArray(e)&&Array.isArray(t)){if(e.length!==t.length)return!1;for(let r=0;r<e.length;r++)if(!jt(e[r],t[r],n))return!1;return!0}let r=Object.keys(e);if(r.length!==Object.keys(t).length)return!1;for(let i of r)if(!jt(e[i],t[i],n))return!1;return!0}function Mt(e){if(!e)return[];if(e.length===1)return e[0];let t=[];for(let n of e)At(t,n);return t}var Nt=new TextEncoder;function Pt(e){if(!e)return[];let t=[];return`$and`in e&&Array.isArray(e.$and)?t.push(...e.$and.flatMap(Pt)):`$or`in e&&Array.isArray(e.$or)?t.push(...e.$or.flatMap(Pt)):`$nor`in e&&Array.isArray(e.$nor)?t.push(...e.$nor.flatMap(Pt)):t.push(...Object.keys(e)),[...new Set(t)]}function Ft(e){return[...new Set(Pt(e).map(e=>e.split(`.`)[0]))]}function It(e,t,n=!0){return`$and`in t&&Array.isArray(t.$and)?t.$and.every(t=>It(e,t,n)):`$or`in t&&Array.isArray(t.$or)?t.$or.some(t=>It(e,t,n)):`$nor`in t&&Array.isArray(t.$nor)?!t.$nor.some(t=>It(e,t,n)):Object.entries(t).every(([t,r])=>{let i=Kt(e,t);return typeof r!=`object`||!r||Array.isArray(r)?jt(i,r,n):Object.entries(r||{}).every(([e,t])=>e===`$gt`?i!=null&&i>t:e===`$gte`?i!=null&&i>=t:e===`$lt`?i!=null&&i<t:e===`$lte`?i!=null&&i<=t:e===`$eq`?jt(i,t,n):e===`$ne`?!jt(i,t,n):e===`$in`?Array.isArray(t)&&Lt(i,t,n):e===`$nin`?Array.isArray(t)&&!Lt(i,t,n):e!==`$not`||!It({value:i},{value:t},n))})}function Lt(e,t,n){return t.some(t=>jt(e,t,n)||Array.isArray(e)&&e.some(e=>jt(e,t,n)))}function Rt({rowGroup:e,physicalColumns:t,filter:n,strict:r=!0,bloomFilters:i,schemaElements:a}){if(!n)return!1;if(`$and`in n&&Array.isArray(n.$and))return n.$and.some(n=>Rt({rowGroup:e,physicalColumns:t,filter:n,strict:r,bloomFilters:i,schemaElements:a}));if(`$or`in n&&Array.isArray(n.$or))return n.$or.every(n=>Rt({rowGroup:e,physicalColumns:t,filter:n,strict:r,bloomFilters:i,schemaElements:a}));if(`$nor`in n&&Array.isArray(n.$nor))return!1;for(let[o,s]of Object.entries(n)){let n=t.indexOf(o);if(n===-1)continue;let{min:c,max:l,min_value:u,max_value:d,null_count:f}=e.columns[n].meta_data?.statistics||{},p=u===void 0?c:u,m=d===void 0?l:d,h=p!==void 0&&m!==void 0,g=i?.[o],_=a?.[o],v=It({value:null},{value:s},r)&&(f===void 0||f>0);if(h&&!v&&zt(s,p,m,r,_))return!0;for(let[e,t]of Object.entries(s||{}))if(g&&_){if(e===`$eq`){let e=Dt(t,_);if(e!==void 0&&!Tt(g.blocks,e))return!0}if(e===`$in`&&Array.isArray(t)&&t.length>0){let e=!0;for(let n of t){let t=Dt(n,_);if(t===void 0||Tt(g.blocks,t)){e=!1;break}}if(e)return!0}}}return!1}function zt(e,t,n,r,i){if(t===void 0||n===void 0)return!1;let a=i?.type===`FLOAT`||i?.type===`DOUBLE`||i?.logical_type?.type===`FLOAT16`;for(let[o,s]of Object.entries(e||{})){let e=Bt(t,s,r,i),c=Bt(n,s,r,i),l=!(t instanceof Uint8Array||n instanceof Uint8Array)&&(i?.type!==`BYTE_ARRAY`||typeof s==`string`&&[...s].every(e=>e.charCodeAt(0)<=127));if(o===`$gt`&&l&&c!==void 0&&c<=0||o===`$gte`&&l&&c!==void 0&&c<0||o===`$lt`&&l&&e!==void 0&&e>=0||o===`$lte`&&l&&e!==void 0&&e>0)return!0;if(o===`$eq`){let e=Bt(s,t,r,i),a=Bt(s,n,r,i);if(e!==void 0&&e<0||a!==void 0&&a>0)return!0}if(o===`$ne`&&!a&&jt(t,n,r)&&jt(t,s,r)||o===`$in`&&Array.isArray(s)&&s.every(e=>{let a=Bt(e,t,r,i),o=Bt(e,n,r,i);return a!==void 0&&a<0||o!==void 0&&o>0})||o===`$nin`&&!a&&Array.isArray(s)&&jt(t,n,r)&&s.some(e=>jt(t,e,r)))return!0}return!1}function Bt(e,t,n,r){if(r?.type===`BYTE_ARRAY`)return typeof e!=`string`||typeof t!=`string`?void 0:Vt(Nt.encode(e),Nt.encode(t));if(e instanceof Uint8Array||t instanceof Uint8Array)return!(e instanceof Uint8Array)||!(t instanceof Uint8Array)?void 0:Vt(e,t);if(e<t)return-1;if(e>t)return 1;if(jt(e,t,n))return 0}function Vt(e,t){let n=Math.min(e.length,t.length);for(let r=0;r<n;r++){if(e[r]<t[r])return-1;if(e[r]>t[r])return 1}return e.length<t.length?-1:+(e.length>t.length)}function Ht(e,t){return It({value:null},{value:e},t)}function Ut(e,t,n,r=!0){if(!e)return;if(`$and`in e&&Array.isArray(e.$and)){let i;for(let a of e.$and)i=Wt(i,Ut(a,t,n,r));return i}if(`$or`in e&&Array.isArray(e.$or)){let i=[];for(let a of e.$or){let e=Ut(a,t,n,r);if(!e)return;i=Gt(i,e)}return i}if(`$nor`in e&&Array.isArray(e.$nor))return;let i;for(let[a,o]of Object.entries(e)){let e=t[a];if(!e)continue;let s=Ht(o,r),c=[];for(let t=0;t<e.pageStarts.length;t++){let i=e.pageStarts[t],a=t+1<e.pageStarts.length?e.pageStarts[t+1]:n,l=e.nullCounts?.[t],u=s&&(l===void 0||l>0);if(e.nullPages[t]||u||!zt(o,e.minValues[t],e.maxValues[t],r,e.element)){let e=c[c.length-1];e&&e[1]===i?e[1]=a:c.push([i,a])}}i=Wt(i,c)}return i}function Wt(e,t){if(!e)return t;if(!t)return e;let n=[],r=0,i=0;for(;r<e.length&&i<t.length;){let a=Math.max(e[r][0],t[i][0]),o=Math.min(e[r][1],t[i][1]);a<o&&n.push([a,o]),e[r][1]<t[i][1]?r++:i++}return n}function Gt(e,t){let n=[],r=0,i=0;for(;r<e.length||i<t.length;){let a=i>=t.length||r<e.length&&e[r][0]<=t[i][0]?e[r++]:t[i++],o=n[n.length-1];o&&a[0]<=o[1]?o[1]=Math.max(o[1],a[1]):n.push([a[0],a[1]])}return n}function Kt(e,t){let n=e;for(let e of t.split(`.`))n=n?.[e];return n}var qt=1<<21,Jt=8192;function Yt(e){let{metadata:t,rowStart:n=0,columns:r,useOffsetIndex:i=!1}=e;if(!t)throw Error(`parquetPlan requires metadata`);let a=[],o=[],s=[],c=Xt(e);for(let e of c.groups){let t=Zt({...e,columns:r,useOffsetIndex:i});a.push(...t.groups),o.push(...t.fetches),s.push(...t.indexes)}return o.push(...s),{metadata:t,rowStart:n,rowEnd:c.rowEnd,columns:r,fetches:o,groups:a}}function Xt({metadata:e,rowStart:t=0,rowEnd:n=1/0,columns:r,filter:i,filterStrict:a=!0,bloomFiltersByGroup:o,schemaElements:s,pageRangesByGroup:c,pageLocationsByGroup:l}){if(!e)throw Error(`parquetPlan requires metadata`);let u=it(e),d=ke(u),f=i?{...rn(u),...s}:s,p=[],m=0;for(let s=0;s<e.row_groups.length;s++){let u=e.row_groups[s],h=Number(u.num_rows),g=m+h;if(h>0&&g>t&&m<n&&!Rt({rowGroup:u,physicalColumns:d,filter:i,strict:a,bloomFilters:o?.[s],schemaElements:f})){let e=Math.max(t-m,0),i=Math.min(n-m,h),a=c?.[s],o=l?.[s],d=a?a.map(([t,n])=>[Math.max(t,e),Math.min(n,i)]).filter(([e,t])=>e<t):[[e,i]];d.length>1&&(d=u.columns.every(e=>{let t=e.meta_data?.path_in_schema[0],n=e.meta_data?.path_in_schema.join(`.`);return r&&t&&!r.includes(t)?!0:!!(e.offset_index_offset&&e.offset_index_length)||!!(n&&o?.[n])})?Qt(d,u,r,o):[[d[0][0],d[d.length-1][1]]]),d.length&&p.push({rowGroup:u,groupIndex:s,groupStart:m,groupRows:h,ranges:d,pageRanges:a,pageLocations:o})}m=g}return{groups:p,rowEnd:isFinite(n)?n:m}}function Zt({rowGroup:e,groupStart:t,groupRows:n,ranges:r,columns:i,useOffsetIndex:a=!1,pageRanges:o,pageLocations:s}){let c=[],l=[],u=[],d=r.length>1||r[0][0]>0||r[0][1]<n;for(let t of e.columns){let e=t.meta_data;if(t.file_path)throw Error(`parquet file_path not supported`);if(!e)throw Error(`parquet column metadata is undefined`);if(i&&!i.includes(e.path_in_schema[0]))continue;let n=e.dictionary_page_offset||e.data_page_offset,r=Number(n),l=Number(n+e.total_compressed_size),u=s?.[e.path_in_schema.join(`.`)];if(u&&d)c.push({columnMetadata:e,pageLocations:u,range:{startByte:r,endByte:l}});else if((a||o)&&t.offset_index_offset&&t.offset_index_length&&d){let r=Number(t.offset_index_offset);c.push({columnMetadata:e,offsetIndex:{startByte:r,endByte:r+t.offset_index_length},range:{startByte:Number(n),endByte:l}})}else c.push({columnMetadata:e,range:{startByte:r,endByte:l}})}let f=[],p;for(let e of c)`pageLocations`in e||(`offsetIndex`in e?u.push(e.offsetIndex):i?f.push(e.range):p&&e.range.endByte-p.startByte<=qt?p.endByte=e.range.endByte:(p&&l.push(p),p={...e.range}));return p&&l.push(p),l.push(...nn(f,Jt,qt)),{groups:r.map(([r,i])=>({chunks:c,rowGroup:e,groupStart:t,groupRows:n,selectStart:r,selectEnd:i})),fetches:l,indexes:u}}function Qt(e,t,n,r){let i=t.columns.filter(e=>!n||n.includes(e.meta_data?.path_in_schema[0]||``)).map(e=>r?.[e.meta_data?.path_in_schema.join(`.`)||``]),a=[];for(let n of e){let e=a[a.length-1],r=e&&i.some(r=>{if(!r)return!0;let i=$t(e,r,Number(t.num_rows)),a=$t(n,r,Number(t.num_rows));return i[0]<=a[1]&&a[0]<=i[1]});e&&r?e[1]=n[1]:a.push([...n])}return a}function $t([e,t],n,r){let i=1/0,a=-1/0;for(let o=0;o<n.length;o++){let s=Number(n[o].first_row_index);(o+1<n.length?Number(n[o+1].first_row_index):r)>e&&s<t&&(i=Math.min(i,o),a=o)}return[i,a]}async function en({file:e,metadata:t,filter:n,filterStrict:r=!0}){let i=t.row_groups.map(()=>({})),a=Ot(n);if(a.size===0)return i;let o=ke(it(t)),s=[];return t.row_groups.forEach((t,c)=>{if(!Rt({rowGroup:t,physicalColumns:o,filter:n,strict:r}))for(let n of a){let r=o.indexOf(n);if(r===-1)continue;let a=t.columns[r]?.meta_data;if(!a?.bloom_filter_offset||!a.bloom_filter_length)continue;let l=Number(a.bloom_filter_offset),u=l+a.bloom_filter_length;s.push((async()=>{let t=await e.slice(l,u),r=Et({view:new DataView(t),offset:0});r&&(i[c][n]=r)})())}}),s.length&&await Promise.all(s),i}async function tn({file:e,metadata:t,filter:n,filterStrict:r=!0,rowStart:i=0,rowEnd:a=1/0,columns:o,bloomFiltersByGroup:s,schemaElements:c,parsers:l}){let u=t.row_groups.map(()=>void 0),d=t.row_groups.map(()=>({}));if(n&&`$nor`in n&&Array.isArray(n.$nor))return{pageRangesByGroup:u,pageLocationsByGroup:d};let f=Pt(n);if(!f.length)return{pageRangesByGroup:u,pageLocationsByGroup:d};let p=it(t),m=ke(p),h={...rn(p),...c},g=[],_=[],v=[],y=0;if(t.row_groups.forEach((e,t)=>{let c=Number(e.num_rows),u=y+c,p=c>0&&u>i&&y<a;if(y=u,!p||Rt({rowGroup:e,physicalColumns:m,filter:n,strict:r,bloomFilters:s?.[t],schemaElements:h}))return;let b={},x=0,S=new Set,C=!1;for(let n of f){let r=m.indexOf(n);if(r===-1)continue;let i=e.columns[r];if(!i?.meta_data||!i.column_index_offset||!i.column_index_length||!i.offset_index_offset||!i.offset_index_length)continue;let a=h[n];if(!a)continue;C=!0,S.add(n);let o=Number(i.column_index_offset),s=Number(i.offset_index_offset),c=o+i.column_index_length,u=s+i.offset_index_length;g.push({startByte:o,endByte:c},{startByte:s,endByte:u}),x++,_.push(async e=>{let[r,i]=await Promise.all([e.slice(o,c),e.slice(s,u)]),f=lt({view:new DataView(r),offset:0},a,l),p=ut({view:new DataView(i),offset:0});d[t][n]=p.page_locations,b[n]={minValues:f.min_values,maxValues:f.max_values,nullPages:f.null_pages,nullCounts:f.null_counts,pageStarts:p.page_locations.map(e=>Number(e.first_row_index)),element:a}})}if(C)for(let n of e.columns){let e=n.meta_data;if(!e)continue;let r=e.path_in_schema[0],i=e.path_in_schema.join(`.`);if(o&&!o.includes(r)||S.has(i)||!n.offset_index_offset||!n.offset_index_length)continue;S.add(i);let a=Number(n.offset_index_offset),s=a+n.offset_index_length;g.push({startByte:a,endByte:s}),x++,_.push(async e=>{let n=await e.slice(a,s),r=ut({view:new DataView(n),offset:0});d[t][i]=r.page_locations})}x&&v.push({rgIdx:t,groupRows:c,columnPages:b})}),_.length){let t=an(e,{fetches:nn(g)});await Promise.all(_.map(e=>e(t)));for(let{rgIdx:e,groupRows:t,columnPages:i}of v)u[e]=Ut(n,i,t,r)}return{pageRangesByGroup:u,pageLocationsByGroup:d}}function nn(e,t=0,n=1/0){let r=e.map(e=>({...e})).sort((e,t)=>e.startByte-t.startByte||e.endByte-t.endByte),i=[];for(let e of r){let r=i[i.length-1];r&&e.startByte<=r.endByte+t&&Math.max(r.endByte,e.endByte)-r.startByte<=n?r.endByte=Math.max(r.endByte,e.endByte):i.push(e)}return i}function rn(e){let t={};function n(e){if(e.children.length)for(let t of e.children)n(t);else t[e.path.join(`.`)]=e.element}return n(e),t}function an(e,{fetches:t}){let n=t.map(({startByte:t,endByte:n})=>e.slice(t,n));return{byteLength:e.byteLength,slice(r,i=e.byteLength){let a=t.findIndex(({startByte:e,endByte:t})=>e<=r&&i<=t);if(a<0)return e.slice(r,i);if(t[a].startByte!==r||t[a].endByte!==i){let e=r-t[a].startByte,o=i-t[a].startByte;return n[a]instanceof Promise?n[a].then(t=>t.slice(e,o)):n[a].slice(e,o)}return n[a]}}}var on=new TextDecoder,sn=new WeakMap;function cn(e,t=be){if(Array.isArray(e))return e.map(e=>cn(e,t));if(typeof e!=`object`)return e;if(`metadata`in e){let n=dn(e.metadata),r=e.typed_value&&ln(e.typed_value,n,t),i=e.value&&pn(un(e.value),n,t);return r&&i?{...i,...r}:r??i}return e}function ln(e,t,n){if(e instanceof Date)return e;if(e&&typeof e==`object`&&!Array.isArray(e)&&!(e instanceof Uint8Array)){if(`typed_value`in e&&e.typed_value!==null&&e.typed_value!==void 0)return ln(e.typed_value,t,n);if(`value`in e&&e.value instanceof Uint8Array)return pn(un(e.value),t,n);if(`typed_value`in e||`value`in e)return null;let r={};for(let[i,a]of Object.entries(e))t.dictionary.includes(i)&&(r[i]=ln(a,t,n));return r}return e instanceof Uint8Array?pn(un(e),t,n):Array.isArray(e)?e.map(e=>ln(e,t,n)):e}function un(e){return{view:new DataView(e.buffer,e.byteOffset,e.byteLength),offset:0}}function dn(e){let t=sn.get(e.buffer);t||(t=new Map,sn.set(e.buffer,t));let n=`${e.byteOffset}:${e.byteLength}`,r=t.get(n);if(r)return r;let i=un(e),a=i.view.getUint8(i.offset++),o=a&15;if(o!==1)throw Error(`parquet unsupported variant metadata version: ${o}`);let s=(a>>4&1)==1,c=(a>>6&3)+1,l=fn(i,c),u=Array(l+1);for(let e=0;e<u.length;e++)u[e]=fn(i,c);let d=i.offset,f=Array(l);for(let t=0;t<l;t++){let n=u[t],r=u[t+1],i=new Uint8Array(e.buffer,e.byteOffset+d+n,r-n);f[t]=on.decode(i)}let p={dictionary:f,sorted:s};return t.set(n,p),p}function fn(e,t){let n=0;for(let r=0;r<t;r++)n|=e.view.getUint8(e.offset+r)<<r*8;return e.offset+=t,n}function pn(e,t,n){let r=e.view.getUint8(e.offset++),i=r&3,a=r>>2;if(i===0)return mn(e,a,n);if(i===2)return hn(e,a,t,n);if(i===3)return gn(e,a,t,n);let o=new Uint8Array(e.view.buffer,e.view.byteOffset+e.offset,a);return e.offset+=a,on.decode(o)}function mn(e,t,n){switch(t){case 0:return null;case 1:return!0;case 2:return!1;case 3:{let t=e.view.getInt8(e.offset);return e.offset+=1,t}case 4:{let t=e.view.getInt16(e.offset,!0);return e.offset+=2,t}case 5:{let t=e.view.getInt32(e.offset,!0);return e.offset+=4,t}case 6:{let t=e.view.getBigInt64(e.offset,!0);return e.offset+=8,t}case 7:{let t=e.view.getFloat64(e.offset,!0);return e.offset+=8,t}case 8:return _n(e,4);case 9:return _n(e,8);case 10:return _n(e,16);case 11:{let t=e.view.getInt32(e.offset,!0);return e.offset+=4,n.dateFromDays(t)}case 12:case 13:{let t=e.view.getBigInt64(e.offset,!0);return e.offset+=8,n.timestampFromMicroseconds(t)}case 14:{let t=e.view.getFloat32(e.offset,!0);return e.offset+=4,t}case 15:return vn(e);case 16:{let t=vn(e);return on.decode(t)}case 17:{let t=e.view.getBigInt64(e.offset,!0);return e.offset+=8,t}case 18:case 19:{let t=e.view.getBigInt64(e.offset,!0);return e.offset+=8,n.timestampFromNanoseconds(t)}case 20:{let t=new Uint8Array(e.view.buffer,e.view.byteOffset+e.offset,16);e.offset+=16;let n=Array.from(t,e=>e.toString(16).padStart(2,`0`)).join(``);return`${n.slice(0,8)}-${n.slice(8,12)}-${n.slice(12,16)}-${n.slice(16,20)}-${n.slice(20)}`}default:throw Error(`parquet unsupported variant primitive type: ${t}`)}}function hn(e,t,n,r){let i=(t&3)+1,a=(t>>2&3)+1,o=t>>4&1?fn(e,4):e.view.getUint8(e.offset++),s=Array(o);for(let t=0;t<o;t++)s[t]=fn(e,a);let c=Array(o+1);for(let t=0;t<c.length;t++)c[t]=fn(e,i);let l={};for(let t=0;t<o;t++){let i=n.dictionary[s[t]];l[i]=pn({view:e.view,offset:e.offset+c[t]},n,r)}return e.offset+=c[c.length-1],l}function gn(e,t,n,r){let i=t&3,a=t>>2&1,o=i+1,s=fn(e,a?4:1),c=Array(s+1);for(let t=0;t<c.length;t++)c[t]=fn(e,o);let l=e.offset,u=Array(s);for(let t=0;t<s;t++){let i={view:e.view,offset:l+c[t]};u[t]=pn(i,n,r)}return e.offset=l+c[c.length-1],u}function _n(e,t){let n=e.view.getUint8(e.offset);e.offset+=1;let r;if(t===4)r=BigInt(e.view.getInt32(e.offset,!0)),e.offset+=4;else if(t===8)r=e.view.getBigInt64(e.offset,!0),e.offset+=8;else{let t=e.view.getBigUint64(e.offset,!0);r=e.view.getBigInt64(e.offset+8,!0)<<64n|t,e.offset+=16}return Number(r)/10**n}function vn(e){let t=e.view.getUint32(e.offset,!0);e.offset+=4;let n=new Uint8Array(e.view.buffer,e.view.byteOffset+e.offset,t);return e.offset+=t,n}function yn(e,t,n,r,i){let a=je(i);if(!t?.length&&!n.length){if(!a||!r.length)return r;t=Array(r.length).fill(a)}let o=t?.length||n.length,s=i.map(({element:e})=>e.repetition_type),c=0,l=[e],u=e,d=0,f=0,p=0;if(n[0])for(;d<s.length-2&&p<n[0];)d++,s[d]!==`REQUIRED`&&(u=u.at(-1),l.push(u),f++),s[d]===`REPEATED`&&p++;for(let e=0;e<o;e++){let i=t?.length?t[e]:a,o=n[e];for(;d&&(o<p||s[d]!==`REPEATED`);)s[d]!==`REQUIRED`&&(l.pop(),f--),s[d]===`REPEATED`&&p--,d--;for(u=l.at(-1);(d<s.length-2||s[d+1]===`REPEATED`)&&(f<i||s[d+1]===`REQUIRED`);){if(d++,s[d]!==`REQUIRED`){let e=[];u.push(e),u=e,l.push(e),f++}s[d]===`REPEATED`&&p++}i===a?u.push(r[c++]):d===s.length-2?u.push(s[d+1]===`REPEATED`?[]:null):u.push([])}if(!e.length)for(let e=0;e<a;e++){let e=[];u.push(e),u=e}return e}function bn(e,t,n,r=0){let i=t.path.join(`.`),a=t.element.repetition_type===`OPTIONAL`,o=a?r+1:r;if(Me(t)){let s=t.children[0],c=o;s.children.length===1&&(s=s.children[0],c++),bn(e,s,n,c);let l=s.path.join(`.`),u=e.get(l);if(!u)throw Error(`parquet list column missing values`);a&&xn(u,r),e.set(i,u),e.delete(l)}else if(Ne(t)){let s=t.children[0].element.name;bn(e,t.children[0].children[0],n,o+1),bn(e,t.children[0].children[1],n,o+1);let c=e.get(`${i}.${s}.key`),l=e.get(`${i}.${s}.value`);if(!c)throw Error(`parquet map column missing keys`);if(!l)throw Error(`parquet map column missing values`);if(c.length!==l.length)throw Error(`parquet map column key/value length mismatch`);let u=Sn(c,l,o);a&&xn(u,r),e.delete(`${i}.${s}.key`),e.delete(`${i}.${s}.value`),e.set(i,u)}else if(t.children.length){let o=t.element.repetition_type===`REQUIRED`?r:r+1,s={};for(let r of t.children){bn(e,r,n,o);let t=e.get(r.path.join(`.`));if(!t)throw Error(`parquet struct missing child data`);s[r.element.name]=t}for(let n of t.children)e.delete(n.path.join(`.`));let c=Cn(s,o);t.element.logical_type?.type===`VARIANT`&&(c=cn(c,n)),a&&xn(c,r),e.set(i,c)}}function xn(e,t){for(let n=0;n<e.length;n++)t?xn(e[n],t-1):e[n]=e[n].length?e[n][0]:null}function Sn(e,t,n){let r=[];for(let i=0;i<e.length;i++)if(n)r.push(Sn(e[i],t[i],n-1));else if(e[i]){let n={};for(let r=0;r<e[i].length;r++){let a=t[i][r];n[e[i][r]]=a===void 0?null:a}r.push(n)}else r.push(void 0);return r}function Cn(e,t){let n=Object.keys(e),r=e[n[0]]?.length,i=[];for(let a=0;a<r;a++){let o={};for(let t of n){if(e[t].length!==r)throw Error(`parquet struct parsing error`);o[t]=e[t][a]}t?i.push(Cn(o,t-1)):i.push(o)}return i}var wn=[1,10,100,1e3,1e4,1e5,1e6,1e7,1e8,1e9,1e10,1e11,0xe8d4a51000,0x9184e72a000,0x5af3107a4000,0x38d7ea4c68000,0x2386f26fc10000,0x16345785d8a0000,0xde0b6b3a7640000],Tn=[1,.1,.01,.001,1e-4,1e-5,1e-6,1e-7,1e-8,1e-9,1e-10,1e-11,1e-12,1e-13,1e-14,1e-15,1e-16,1e-17,1e-18],En=wn.slice(0,11).map(Math.fround),Dn=Tn.slice(0,11).map(Math.fround);function On(e,t,n){if(n===`FLOAT`)return An(e,t);if(n===`DOUBLE`)return jn(e,t);throw Error(`ALP encoding unsupported type: ${n}`)}function kn(e){let{view:t}=e,n=t.getUint8(e.offset++);if(n!==0)throw Error(`ALP unsupported compression mode: ${n}`);let r=t.getUint8(e.offset++);if(r!==0)throw Error(`ALP unsupported integer encoding: ${r}`);let i=t.getUint8(e.offset++);if(i<3||i>15)throw Error(`ALP invalid log_vector_size: ${i}`);let a=1<<i,o=t.getInt32(e.offset,!0);e.offset+=4;let s=Math.ceil(o/a),c=e.offset;return e.offset+=s*4,{vectorSize:a,numElements:o,numVectors:s,offsetArrayStart:c}}function An(e,t){let{view:n}=e,{vectorSize:r,numElements:i,numVectors:a,offsetArrayStart:o}=kn(e);if(i!==t)throw Error(`ALP num_elements ${i} does not match expected ${t}`);let s=new Float32Array(t),c=new Uint8Array(s.buffer);for(let t=0;t<a;t++){e.offset=o+n.getUint32(o+t*4,!0);let a=t*r,l=Math.min(r,i-a),u=n.getUint8(e.offset++),d=n.getUint8(e.offset++),f=n.getUint16(e.offset,!0);e.offset+=2;let p=n.getInt32(e.offset,!0);e.offset+=4;let m=Nn(e,l,n.getUint8(e.offset++)),h=En[d],g=Dn[u];for(let e=0;e<l;e++){let t=m[e]+p|0;s[a+e]=Math.fround(Math.fround(t)*h)*g}Mn(e,f,4,c,a)}return s}function jn(e,t){let{view:n}=e,{vectorSize:r,numElements:i,numVectors:a,offsetArrayStart:o}=kn(e);if(i!==t)throw Error(`ALP num_elements ${i} does not match expected ${t}`);let s=new Float64Array(t),c=new Uint8Array(s.buffer);for(let t=0;t<a;t++){e.offset=o+n.getUint32(o+t*4,!0);let a=t*r,l=Math.min(r,i-a),u=n.getUint8(e.offset++),d=n.getUint8(e.offset++),f=n.getUint16(e.offset,!0);e.offset+=2;let p=n.getBigInt64(e.offset,!0);e.offset+=8;let m=n.getUint8(e.offset++),h=wn[d],g=Tn[u],_=Number(p);if(m<=32&&Number.isSafeInteger(_)){let t=Nn(e,l,m);for(let e=0;e<l;e++)s[a+e]=(t[e]+_)*h*g}else{let t=Pn(e,l,m);for(let e=0;e<l;e++){let n=BigInt.asIntN(64,t[e]+p);s[a+e]=Number(n)*h*g}}Mn(e,f,8,c,a)}return s}function Mn(e,t,n,r,i){if(!t)return;let{view:a}=e,o=e.offset,s=o+t*2,c=new Uint8Array(a.buffer,a.byteOffset+s,t*n);for(let e=0;e<t;e++){let t=(i+a.getUint16(o+e*2,!0))*n;r.set(c.subarray(e*n,(e+1)*n),t)}e.offset=s+t*n}function Nn(e,t,n){let r=new Uint32Array(t);if(!n)return r;let{view:i}=e,a=e.offset,o=2**n,s=0;for(let e=0;e<t;e++){let t=a+(s>>>3),c=s&7,l=i.getUint8(t++)>>>c,u=8-c;for(;u<n;)l+=i.getUint8(t++)*2**u,u+=8;r[e]=l%o,s+=n}return e.offset=a+Math.ceil(t*n/8),r}function Pn(e,t,n){let r=new BigUint64Array(t);if(!n)return r;let{view:i}=e,a=e.offset,o=(1n<<BigInt(n))-1n,s=0n,c=0,l=a;for(let e=0;e<t;e++){for(;c<n;)s|=BigInt(i.getUint8(l++))<<BigInt(c),c+=8;r[e]=s&o,s>>=BigInt(n),c-=n}return e.offset=a+Math.ceil(t*n/8),r}function Fn(e,t,n){if(n instanceof Int32Array){In(e,t,n);return}let r=Je(e),i=Je(e);Je(e);let a=Ze(e),o=0;n[o++]=a;let s=r/i;for(;o<t;){let r=Ze(e),c=new Uint8Array(i);for(let t=0;t<i;t++)c[t]=e.view.getUint8(e.offset++);for(let l=0;l<i&&o<t;l++){let i=c[l];if(i){let c=0,l=s,u=(1n<<BigInt(i))-1n;for(;l&&o<t;){let t=BigInt(e.view.getUint32(e.offset,!0)>>>c)&u;for(c+=i;c>=32;)c-=32,e.offset+=4,c&&(t|=BigInt(e.view.getUint32(e.offset,!0))<<BigInt(i-c)&u);let s=r+t;a+=s,n[o++]=a,l--}l&&(e.offset+=Math.ceil((l*i+c)/8))}else for(let e=0;e<s&&o<t;e++)a+=r,n[o++]=a}}}function In(e,t,n){let r=Je(e),i=Je(e);Je(e);let a=Xe(e),o=0;n[o++]=a;let s=r/i,{view:c}=e;for(;o<t;){let r=Ln(e),l=e.offset,u=l+i;for(let e=0;e<i&&o<t;e++){let i=c.getUint8(l+e),d=u+s*i/8,f=0;for(let e=0;e<s&&o<t;e++){let e=0,t=0;for(;t<i;){let n=Math.min(8-f,i-t);t<32&&(e|=(c.getUint8(u)>>>f&(1<<n)-1)<<t),t+=n,f+=n,f===8&&(f=0,u++)}a=a+r+e|0,n[o++]=a}u=d}e.offset=u}}function Ln(e){let t=e.offset,n=Je(e),r=e.offset-t===5?e.view.getUint8(t+4)>>>4&1:0;return(n>>>1|r<<31)^-(n&1)}function Rn(e,t,n){let r=new Int32Array(t);Fn(e,t,r);for(let i=0;i<t;i++)n[i]=new Uint8Array(e.view.buffer,e.view.byteOffset+e.offset,r[i]),e.offset+=r[i]}function zn(e,t,n){let r=new Int32Array(t);Fn(e,t,r);let i=new Int32Array(t);Fn(e,t,i);for(let a=0;a<t;a++){let t=new Uint8Array(e.view.buffer,e.view.byteOffset+e.offset,i[a]);r[a]?(n[a]=new Uint8Array(r[a]+i[a]),n[a].set(n[a-1].subarray(0,r[a])),n[a].set(t,r[a])):n[a]=t,e.offset+=i[a]}}function Bn(e,t,n,r){r===void 0&&(r=e.view.getUint32(e.offset,!0),e.offset+=4);let i=e.offset,a=0;for(;a<n.length;){let r=Je(e);if(r&1)a=Hn(e,r,t,n,a);else{let i=r>>>1;Vn(e,i,t,n,a),a+=i}}e.offset=i+r}function Vn(e,t,n,r,i){let a=n+7>>3,o=0;for(let t=0;t<a;t++)o|=e.view.getUint8(e.offset++)<<(t<<3);for(let e=0;e<t;e++)r[i+e]=o}function Hn(e,t,n,r,i){let a=t>>1<<3,o=(1<<n)-1,s=0;if(e.offset<e.view.byteLength)s=e.view.getUint8(e.offset++);else if(o)throw Error(`parquet bitpack offset ${e.offset} out of range`);let c=8,l=0;for(;a;)l>8?(l-=8,c-=8,s>>>=8):c-l<n?(s|=e.view.getUint8(e.offset)<<c,e.offset++,c+=8):(i<r.length&&(r[i++]=s>>l&o),a--,l+=n);return i}function Un(e,t,n,r){let i=Wn(n,r),a=new Uint8Array(t*i);for(let n=0;n<i;n++)for(let r=0;r<t;r++)a[r*i+n]=e.view.getUint8(e.offset++);if(n===`FLOAT`)return new Float32Array(a.buffer);if(n===`DOUBLE`)return new Float64Array(a.buffer);if(n===`INT32`)return new Int32Array(a.buffer);if(n===`INT64`)return new BigInt64Array(a.buffer);if(n===`FIXED_LEN_BYTE_ARRAY`){let e=Array(t);for(let n=0;n<t;n++)e[n]=a.subarray(n*i,(n+1)*i);return e}throw Error(`parquet byte_stream_split unsupported type: ${n}`)}function Wn(e,t){switch(e){case`INT32`:case`FLOAT`:return 4;case`INT64`:case`DOUBLE`:return 8;case`FIXED_LEN_BYTE_ARRAY`:if(!t)throw Error(`parquet byteWidth missing type_length`);return t;default:throw Error(`parquet unsupported type: ${e}`)}}function Gn(e,t,n,r){if(n===0)return[];if(t===`BOOLEAN`)return Kn(e,n);if(t===`INT32`)return qn(e,n);if(t===`INT64`)return Jn(e,n);if(t===`INT96`)return Yn(e,n);if(t===`FLOAT`)return Xn(e,n);if(t===`DOUBLE`)return Zn(e,n);if(t===`BYTE_ARRAY`)return Qn(e,n);if(t===`FIXED_LEN_BYTE_ARRAY`){if(!r)throw Error(`parquet missing fixed length`);return $n(e,n,r)}throw Error(`parquet unhandled type: ${t}`)}function Kn(e,t){let n=Array(t);for(let r=0;r<t;r++){let t=e.offset+(r/8|0),i=r%8,a=e.view.getUint8(t);n[r]=!!(a&1<<i)}return e.offset+=Math.ceil(t/8),n}function qn(e,t){let n=(e.view.byteOffset+e.offset)%4?new Int32Array(er(e.view.buffer,e.view.byteOffset+e.offset,t*4)):new Int32Array(e.view.buffer,e.view.byteOffset+e.offset,t);return e.offset+=t*4,n}function Jn(e,t){let n=(e.view.byteOffset+e.offset)%8?new BigInt64Array(er(e.view.buffer,e.view.byteOffset+e.offset,t*8)):new BigInt64Array(e.view.buffer,e.view.byteOffset+e.offset,t);return e.offset+=t*8,n}function Yn(e,t){let n=Array(t);for(let r=0;r<t;r++){let t=e.view.getBigInt64(e.offset+r*12,!0),i=e.view.getInt32(e.offset+r*12+8,!0);n[r]=BigInt(i)<<64n|t}return e.offset+=t*12,n}function Xn(e,t){let n=(e.view.byteOffset+e.offset)%4?new Float32Array(er(e.view.buffer,e.view.byteOffset+e.offset,t*4)):new Float32Array(e.view.buffer,e.view.byteOffset+e.offset,t);return e.offset+=t*4,n}function Zn(e,t){let n=(e.view.byteOffset+e.offset)%8?new Float64Array(er(e.view.buffer,e.view.byteOffset+e.offset,t*8)):new Float64Array(e.view.buffer,e.view.byteOffset+e.offset,t);return e.offset+=t*8,n}function Qn(e,t){let n=Array(t);for(let r=0;r<t;r++){let t=e.view.getUint32(e.offset,!0);e.offset+=4,n[r]=new Uint8Array(e.view.buffer,e.view.byteOffset+e.offset,t),e.offset+=t}return n}function $n(e,t,n){let r=Array(t);for(let i=0;i<t;i++)r[i]=new Uint8Array(e.view.buffer,e.view.byteOffset+e.offset,n),e.offset+=n;return r}function er(e,t,n){let r=new ArrayBuffer(n);return new Uint8Array(r).set(new Uint8Array(e,t,n)),r}var tr=[0,255,65535,16777215,4294967295];function nr(e,t,n,r,i){for(let a=0;a<i;a++)n[r+a]=e[t+a]}function rr(e,t){let n=e.byteLength,r=t.byteLength,i=0,a=0;for(;i<n;){let t=e[i];if(i++,t<128)break}if(r&&i>=n)throw Error(`invalid snappy length header`);for(;i<n;){let r=e[i],o=0;if(i++,i>=n)throw Error(`missing eof marker`);if(r&3){let s=0;switch(r&3){case 1:o=(r>>>2&7)+4,s=e[i]+(r>>>5<<8),i++;break;case 2:if(n<=i+1)throw Error(`snappy error end of input`);o=(r>>>2)+1,s=e[i]+(e[i+1]<<8),i+=2;break;case 3:if(n<=i+3)throw Error(`snappy error end of input`);o=(r>>>2)+1,s=e[i]+(e[i+1]<<8)+(e[i+2]<<16)+(e[i+3]<<24),i+=4}if(s===0||isNaN(s))throw Error(`invalid offset ${s} pos ${i} inputLength ${n}`);if(s>a)throw Error(`cannot copy from before start of buffer`);nr(t,a-s,t,a,o),a+=o}else{let o=(r>>>2)+1;if(o>60){if(i+3>=n)throw Error(`snappy error literal pos + 3 >= inputLength`);let t=o-60;o=e[i]+(e[i+1]<<8)+(e[i+2]<<16)+(e[i+3]<<24),o=(o&tr[t])+1,i+=t}if(i+o>n)throw Error(`snappy error literal exceeds input length`);nr(e,i,t,a,o),i+=o,a+=o}}if(a!==r)throw Error(`premature end of input`)}function ir(e,t,{type:n,element:r,schemaPath:i}){let a=new DataView(e.buffer,e.byteOffset,e.byteLength),o={view:a,offset:0},s,c=ar(o,t,i),{definitionLevels:l,numNulls:u}=or(o,t,i),d=t.num_values-u;if(t.encoding===`PLAIN`)s=Gn(o,n,d,r.type_length);else if(t.encoding===`PLAIN_DICTIONARY`||t.encoding===`RLE_DICTIONARY`||t.encoding===`RLE`){let e=n===`BOOLEAN`?1:a.getUint8(o.offset++);e?(s=Array(d),n===`BOOLEAN`?(Bn(o,e,s),s=s.map(e=>!!e)):Bn(o,e,s,a.byteLength-o.offset)):s=new Uint8Array(d)}else if(t.encoding===`BYTE_STREAM_SPLIT`)s=Un(o,d,n,r.type_length);else if(t.encoding===`ALP`)s=On(o,d,n);else if(t.encoding===`DELTA_BINARY_PACKED`)s=n===`INT32`?new Int32Array(d):new BigInt64Array(d),Fn(o,d,s);else if(t.encoding===`DELTA_LENGTH_BYTE_ARRAY`)s=Array(d),Rn(o,d,s);else if(t.encoding===`DELTA_BYTE_ARRAY`)s=Array(d),zn(o,d,s);else throw Error(`parquet unsupported encoding: ${t.encoding}`);return{definitionLevels:l,repetitionLevels:c,dataPage:s}}function ar(e,t,n){if(n.length>1){let r=Ae(n);if(r){let n=Array(t.num_values);return Bn(e,dr(r),n),n}}return[]}function or(e,t,n){let r=je(n);if(!r)return{definitionLevels:[],numNulls:0};let i=Array(t.num_values);Bn(e,dr(r),i);let a=t.num_values;for(let e of i)e===r&&a--;return a===0&&(i.length=0),{definitionLevels:i,numNulls:a}}function sr(e,t,n,r){let i,a=r?.[n];if(n===`UNCOMPRESSED`)i=e;else if(a)i=a(e,t);else if(n===`SNAPPY`)i=new Uint8Array(t),rr(e,i);else throw Error(`parquet unsupported compression codec: ${n}`);if(i?.length!==t)throw Error(`parquet decompressed page length ${i?.length} does not match header ${t}`);return i}function cr(e,t,n){let r={view:new DataView(e.buffer,e.byteOffset,e.byteLength),offset:0},{type:i,element:a,schemaPath:o,codec:s,compressors:c}=n,l=t.data_page_header_v2;if(!l)throw Error(`parquet data page header v2 is undefined`);let u=lr(r,l,o);r.offset=l.repetition_levels_byte_length;let d=ur(r,l,o),f=t.uncompressed_page_size-l.definition_levels_byte_length-l.repetition_levels_byte_length,p=e.subarray(r.offset);l.is_compressed!==!1&&f&&(p=sr(p,f,s,c));let m=new DataView(p.buffer,p.byteOffset,p.byteLength),h={view:m,offset:0},g,_=l.num_values-l.num_nulls;if(l.encoding===`PLAIN`)g=Gn(h,i,_,a.type_length);else if(l.encoding===`RLE`)g=Array(_),Bn(h,1,g),g=g.map(e=>!!e);else if(l.encoding===`PLAIN_DICTIONARY`||l.encoding===`RLE_DICTIONARY`){let e=m.getUint8(h.offset++);g=Array(_),Bn(h,e,g,f-1)}else if(l.encoding===`DELTA_BINARY_PACKED`)g=i===`INT32`?new Int32Array(_):new BigInt64Array(_),Fn(h,_,g);else if(l.encoding===`DELTA_LENGTH_BYTE_ARRAY`)g=Array(_),Rn(h,_,g);else if(l.encoding===`DELTA_BYTE_ARRAY`)g=Array(_),zn(h,_,g);else if(l.encoding===`BYTE_STREAM_SPLIT`)g=Un(h,_,i,a.type_length);else if(l.encoding===`ALP`)g=On(h,_,i);else throw Error(`parquet unsupported encoding: ${l.encoding}`);return{definitionLevels:d,repetitionLevels:u,dataPage:g}}function lr(e,t,n){let r=Ae(n);if(!r)return[];let i=Array(t.num_values);return Bn(e,dr(r),i,t.repetition_levels_byte_length),i}function ur(e,t,n){let r=je(n);if(r){let n=Array(t.num_values);return Bn(e,dr(r),n,t.definition_levels_byte_length),n}}function dr(e){return 32-Math.clz32(e)}function fr(e,{groupStart:t,selectStart:n,selectEnd:r},i,a){let{pathInSchema:o,schemaPath:s}=i,c=Pe(s),l=[],u,d,f=0,p=0,m=a&&(()=>{d&&a({pathInSchema:o,columnData:d,rowStart:t+f-d.length,rowEnd:t+f})});for(;(c?f<r:e.offset<e.view.byteLength-1)&&!(e.offset>=e.view.byteLength-1);){let t=mr(e);if(t.type===`DICTIONARY_PAGE`){let{data:n}=pr(e,t,i,u,void 0,0);n&&(u=Se(n,i))}else{let r=d?.length||0,a=pr(e,t,i,u,d,n-f);a.skipped?(l.length||(p+=a.skipped),f+=a.skipped):a.data&&d===a.data?f+=a.data.length-r:a.data&&a.data.length&&(m?.(),l.push(a.data),f+=a.data.length,d=a.data)}}return m?.(),{data:l,skipped:p}}function pr(e,t,n,r,i,a){let{type:o,element:s,schemaPath:c,codec:l,compressors:u}=n,d=new Uint8Array(e.view.buffer,e.view.byteOffset+e.offset,t.compressed_page_size);if(e.offset+=t.compressed_page_size,t.type===`DATA_PAGE`){let e=t.data_page_header;if(!e)throw Error(`parquet data page header is undefined`);if(a>e.num_values&&Pe(c))return{skipped:e.num_values};let{definitionLevels:o,repetitionLevels:s,dataPage:f}=ir(sr(d,Number(t.uncompressed_page_size),l,u),e,n),p=xe(f,r,e.encoding,n);return{skipped:0,data:yn(Array.isArray(i)?i:[],o,s,p,c)}}if(t.type===`DATA_PAGE_V2`){let e=t.data_page_header_v2;if(!e)throw Error(`parquet data page header v2 is undefined`);if(a>e.num_rows)return{skipped:e.num_rows};let{definitionLevels:o,repetitionLevels:s,dataPage:l}=cr(d,t,n),u=xe(l,r,e.encoding,n);return{skipped:0,data:yn(Array.isArray(i)?i:[],o,s,u,c)}}if(t.type===`DICTIONARY_PAGE`){let e=t.dictionary_page_header;if(!e)throw Error(`parquet dictionary page header is undefined`);let n=sr(d,Number(t.uncompressed_page_size),l,u);return{skipped:0,data:Gn({view:new DataView(n.buffer,n.byteOffset,n.byteLength),offset:0},o,e.num_values,s.type_length)}}throw Error(`parquet unsupported page type: ${t.type}`)}function mr(e){let t=Ke(e);return{type:_e[t.field_1],uncompressed_page_size:t.field_2,compressed_page_size:t.field_3,crc:t.field_4,data_page_header:t.field_5&&{num_values:t.field_5.field_1,encoding:pe[t.field_5.field_2],definition_level_encoding:pe[t.field_5.field_3],repetition_level_encoding:pe[t.field_5.field_4],statistics:hr(t.field_5.field_5)},index_page_header:t.field_6,dictionary_page_header:t.field_7&&{num_values:t.field_7.field_1,encoding:pe[t.field_7.field_2],is_sorted:t.field_7.field_3},data_page_header_v2:t.field_8&&{num_values:t.field_8.field_1,num_nulls:t.field_8.field_2,num_rows:t.field_8.field_3,encoding:pe[t.field_8.field_4],definition_levels_byte_length:t.field_8.field_5,repetition_levels_byte_length:t.field_8.field_6,is_compressed:t.field_8.field_7===void 0||t.field_8.field_7,statistics:hr(t.field_8.field_8)}}}function hr(e){return e&&{max:e.field_1,min:e.field_2,null_count:e.field_3,distinct_count:e.field_4,max_value:e.field_5,min_value:e.field_6,is_max_value_exact:e.field_7,is_min_value_exact:e.field_8}}function gr(e,{metadata:t},n){let r=[],i=it(t);for(let t of n.chunks){let{path_in_schema:a}=t.columnMetadata,o=Oe(i,a),s={pathInSchema:a,element:o[o.length-1].element,schemaPath:o,...e,...t.columnMetadata,parsers:{...be,...e.parsers}},{startByte:c,endByte:l}=t.range;`pageLocations`in t?r.push({pathInSchema:a,data:_r(e,n,t,t.pageLocations,s)}):`offsetIndex`in t?r.push({pathInSchema:a,data:Promise.resolve(e.file.slice(t.offsetIndex.startByte,t.offsetIndex.endByte)).then(r=>{let i=ut({view:new DataView(r),offset:0}).page_locations;return _r(e,n,t,i,s)})}):r.push({pathInSchema:a,data:Promise.resolve(e.file.slice(c,l)).then(t=>fr({view:new DataView(t),offset:0},n,s,e.onPage))})}return{groupStart:n.groupStart,groupRows:n.groupRows,selectStart:n.selectStart,selectEnd:n.selectEnd,asyncColumns:r}}async function _r(e,t,n,r,i){let{data_page_offset:a,dictionary_page_offset:o}=n.columnMetadata,{selectStart:s,selectEnd:c}=t,{startByte:l,endByte:u}=n.range,d=-1,f=o||a<r[0].offset;for(let e=0;e<r.length;e++){let n=r[e],i=Number(n.first_row_index),a=e+1<r.length?Number(r[e+1].first_row_index):t.groupRows;d<0&&a>s&&(l=Number(n.offset),d=i),i<c&&(u=Number(n.offset)+n.compressed_page_size)}d<0&&(d=0);let p;if(f&&d){let t=Number(r[0].offset)-n.range.startByte,[i,a]=await Promise.all([e.file.slice(n.range.startByte,Number(r[0].offset)),e.file.slice(l,u)]),o=new Uint8Array(t+a.byteLength);o.set(new Uint8Array(i,0,t)),o.set(new Uint8Array(a),t),p=new DataView(o.buffer)}else p=f?new DataView(await e.file.slice(n.range.startByte,u)):new DataView(await e.file.slice(l,u));let{data:m,skipped:h}=fr({view:p,offset:0},d?{...t,groupStart:t.groupStart+d,selectStart:t.selectStart-d,selectEnd:t.selectEnd-d}:t,i,e.onPage);return{data:m,skipped:d+h}}async function vr({asyncColumns:e},t,n,r,i){let a=await Promise.all(e.map(e=>e.data.then(({skipped:e,data:t})=>({skipped:e,data:Mt(t)})))),o=n-t;if(i===`object`){let n=Array(o);for(let r=0;r<o;r++){let i={};for(let n=0;n<e.length;n++){let{data:o,skipped:s}=a[n];i[e[n].pathInSchema[0]]=o[t+r-s]}n[r]=i}return n}let s=e.map(e=>e.pathInSchema[0]).filter(e=>!r||r.includes(e)),c=r??s,l=c.map(t=>e.findIndex(e=>e.pathInSchema[0]===t)),u=Array(o);for(let n=0;n<o;n++){let r=Array(e.length);for(let e=0;e<c.length;e++){let i=l[e];if(i<0)throw Error(`parquet column not found: ${c[e]}`);let{data:o,skipped:s}=a[i];r[e]=o[t+n-s]}u[n]=r}return u}function yr(e,t,n){let{asyncColumns:r}=e,i={...be,...n},a=[];for(let n of t.children)if(n.children.length){let t=r.filter(e=>e.pathInSchema[0]===n.element.name);if(!t.length)continue;a.push({pathInSchema:n.path,data:(async()=>{let r=await Promise.all(t.map(e=>e.data)),a=new Map,o=r.map(({data:e})=>Mt(e)),s=Math.max(e.selectStart??0,...r.map(e=>e.skipped)),c=Math.min(e.selectEnd??1/0,...r.map((e,t)=>e.skipped+o[t].length));for(let e=0;e<t.length;e++){let n=s-r[e].skipped,i=Math.max(0,c-s);a.set(t[e].pathInSchema.join(`.`),o[e].slice(n,n+i))}bn(a,n,i);let l=a.get(n.element.name);if(!l)throw Error(`parquet column data not assembled`);return{data:[l],skipped:s}})()})}else{let e=r.find(e=>e.pathInSchema[0]===n.element.name);e&&a.push(e)}return{...e,asyncColumns:a}}async function br(e){let t=await xr(e);return{options:t,plan:Yt(t)}}async function xr(e){let t=e.metadata??await nt(e.file,e),n=it(t).children.map(e=>e.element.name),r=Ft(e.filter).filter(e=>!n.includes(e));if(r.length)throw Error(`parquet filter columns not found: ${r.join(`, `)}`);if(e.columns){let t=e.columns.filter(e=>!n.includes(e));if(t.length)throw Error(`parquet column not found: ${t[0]}`)}let i={...e,metadata:t};return i=await Cr(i),i=await wr(i),i}function Sr(e,t){let n={...e,file:an(e.file,t)};return t.groups.map(e=>gr(n,t,e))}async function Cr(e){if(!e.useBloomFilters||!e.filter||!e.metadata)return e;let t=it(e.metadata),n={};for(let e of t.children)n[e.element.name]=e.element;let r=await en({file:e.file,metadata:e.metadata,filter:e.filter,filterStrict:e.filterStrict});return{...e,bloomFiltersByGroup:r,schemaElements:n}}async function wr(e){if(!e.usePageIndex||!e.filter||!e.metadata)return e;let{pageRangesByGroup:t,pageLocationsByGroup:n}=await tn({file:e.file,metadata:e.metadata,filter:e.filter,filterStrict:e.filterStrict,rowStart:e.rowStart,rowEnd:e.rowEnd,columns:e.columns,bloomFiltersByGroup:e.bloomFiltersByGroup,schemaElements:e.schemaElements,parsers:e.parsers});return{...e,pageRangesByGroup:t,pageLocationsByGroup:n}}var Tr=Symbol(`rowIndex`);async function Er(e){e.metadata??=await nt(e.file,e);let{rowStart:t=0,rowEnd:n,columns:r,onChunk:i,onComplete:a,rowFormat:o,filter:s,filterStrict:c=!0}=e;if(s&&o!==`object`)throw Error(`parquet filter requires rowFormat: "object"`);if(e.includeRowIndex&&o!==`object`)throw Error(`parquet includeRowIndex requires rowFormat: "object"`);let l=Ft(s),u=r;if(r&&l.length){let e=new Set(r),t=l.filter(t=>!e.has(t));t.length&&(u=[...r,...t])}let d=await br(u===r?e:{...e,columns:u}),f=d.options,p=u!==r,m=Sr(f,d.plan);if(!a&&!i){await Dr(m);return}if(!f.metadata)throw Error(`parquet requires metadata`);let h=it(f.metadata),g=m.map(t=>yr(t,h,e.parsers));if(i)for(let e of g)for(let t of e.asyncColumns)t.data.then(({data:n,skipped:r})=>{let a=e.groupStart+r;for(let e of n)i({columnName:t.pathInSchema[0],columnData:e,rowStart:a,rowEnd:a+e.length}),a+=e.length},()=>{});if(a){await Dr(g);let i=[];for(let a of g){let d=a.selectStart??Math.max(t-a.groupStart,0),f=a.selectEnd??Math.min((n??1/0)-a.groupStart,a.groupRows),m=o===`object`?await vr(a,d,f,u,`object`):await vr(a,d,f,r,`array`);if(e.includeRowIndex)for(let e=0;e<m.length;e++)Object.defineProperty(m[e],Tr,{value:a.groupStart+d+e});if(s){for(let e of m)if(It(e,s,c)){if(p&&r)for(let t of l)r.includes(t)||delete e[t];i.push(e)}}else At(i,m)}a(i)}else await Dr(g)}async function Dr(e){let t=e.flatMap(e=>e.asyncColumns.map(e=>e.data)),n=(await Promise.allSettled(t)).find(e=>e.status===`rejected`);if(n)throw n.reason}var Or={ZSTD:(e,t)=>de(e,new Uint8Array(t))},kr=class{rows;columns;constructor(e,t){this.rows=e,this.columns=t}has(e){return this.columns.has(e)}get names(){return[...this.columns.keys()]}numbers(e){return Float64Array.from(this.column(e),Number)}optionalNumbers(e){return Float64Array.from(this.column(e),e=>e==null?NaN:Number(e))}integers(e){return Int32Array.from(this.column(e),Number)}texts(e){return this.column(e)}bytes(e){return this.column(e)}column(e){let t=this.columns.get(e);if(!t)throw Error(`a table has no column ${e}`);return t}};async function Ar(e,t){let n=await jr(e),r=rt(n),i=it(r).children.map(e=>e.element.name),a=t?i.filter(e=>t.includes(e)):i,o=Number(r.num_rows),s=new Map(a.map(e=>[e,Array(o)]));return a.length===0||await Er({file:n,metadata:r,columns:a,compressors:Or,utf8:!1,onChunk({columnName:e,columnData:t,rowStart:n}){let r=s.get(e);for(let e=0;e<t.length;e++)r[n+e]=t[e]}}),new kr(o,s)}async function jr(e){if(`url`in e){let t=await fetch(e.url);if(!t.ok)throw Error(`${e.url}: ${t.status} ${t.statusText}`);return t.arrayBuffer()}if(`bytes`in e){let{buffer:t,byteOffset:n,byteLength:r}=e.bytes;return t.slice(n,n+r)}return Mr(e.base64).buffer}function Mr(e){let t=atob(e),n=new Uint8Array(t.length);for(let e=0;e<t.length;e++)n[e]=t.charCodeAt(e);return n}var Nr=new Intl.NumberFormat(`en-US`,{maximumFractionDigits:0}),Pr=new Intl.NumberFormat(`en-US`,{notation:`compact`,maximumSignificantDigits:3}),Fr=new Intl.NumberFormat(`en-US`,{maximumSignificantDigits:4});function q(e){return Number.isInteger(e)||Math.abs(e)>=1e3?Nr.format(e):Fr.format(e)}function Ir(e){return e<1e4?q(e):Pr.format(e)}function Lr(e){return`${(100*e).toFixed(Math.abs(e)<.0995&&e!==0?2:1)} %`}var Rr=[[1,`s`],[.001,`ms`],[1e-6,`µs`],[1e-9,`ns`]];function zr(e,t=Fr){let[n,r]=Rr.find(([t])=>Math.abs(e)>=t*.9995)??Rr[3];return`${t.format(e/n)} ${r}`}function Br(e,t){return t===null?`cycle ${q(e)}`:zr(e*t)}function Vr(e,t){return t===null?`cycle ${Ir(e)}`:zr(e*t,Pr)}function Hr(e){return e<1e4?`${q(e)} B`:e<1e7?`${Fr.format(e/1e3)} KB`:e<1e10?`${Fr.format(e/1e6)} MB`:`${Fr.format(e/1e9)} GB`}function Ur(e,t){return t<1e4?q(e):Pr.format(e)}function Wr(e){if(!(e>0))return 1;let t=10**Math.max(0,Math.floor(Math.log10(e))-1);return Math.ceil(e/t*(1-1e-9))*t}function Gr(e){let t=e/10**Math.max(0,Math.floor(Math.log10(e))-1);return[4,5,3,2].find(e=>Math.round(t)%e===0)??(e<100?1:4)}function Kr(e){if(!(e>0))return 1;let t=10**Math.floor(Math.log10(e));return[1,2,2.5,4,5,8,10].find(n=>n*t>=e*(1-1e-9))*t}var qr={utilization:{label:`Utilization`,hint:`Share of time in which the link carried data`,unit:`share`},stalled_cycles:{label:`Stalled time`,hint:`Time in which the link was idle although a packet needed it: the buffer at its end was full`,unit:`cycles`},token_stalls:{label:`Stalls`,hint:`How often a stall began`,unit:`count`},packets:{label:`Packets`,hint:`Packets that crossed the link`,unit:`count`},frames_sent_again:{label:`Frames sent again`,hint:`After errors of a lossy link, since cycle 0`,unit:`count`,when:`since cycle 0`}};function Jr(e){return[...Object.keys(qr),...e.map(e=>`packets_${e}`)]}function Yr(e,t,n){let r=[],i=(n,i,a)=>{if(!e.has(a))return;let o=e.numbers(a);r.push({id:n,when:`whole run`,...i,whole:o,overTime:n===`utilization`&&t.series!==null})};for(let[e,t]of Object.entries(qr))i(e,t,e);for(let e of t.machine.vcs){let t=`Packets on VC ${e}`;i(`packets_${e}`,{label:t,hint:`Packets that crossed the link on VC ${e}`,unit:`count`},`packets_${e}`)}return n&&r.push(Xr(e.rows,n)),r}function Xr(e,t){let n=new Float64Array(e);for(let{link:e}of t)e>=0&&n[e]++;return{id:`waiting`,label:`Packets waiting at the end`,hint:`Packets at the head of a queue that wait for this link when the run ends`,unit:`count`,when:`at the end`,whole:n,overTime:!1}}function Zr({id:e,label:t}){return e===`utilization`?`Hottest links`:e===`stalled_cycles`?`Most stalled links`:`Links with the most ${t[0].toLowerCase()}${t.slice(1)}`}function Qr(e,t){return e>0?`+${$r(e,t)}`:$r(e,t)}function $r(e,t){return Number.isNaN(e)?`dead`:t.unit===`share`?Lr(e):t.unit===`cycles`?`${q(e)} cycles`:q(e)}function ei(e){let t=new Map;return e.forEach((e,n)=>{let r=t.get(e);r?r.push(n):t.set(e,[n])}),t}var ti=class{rank;node;core;group;on;areOfOneProgram;hasGroups;groups;constructor(e,t){[this.rank,this.node,this.core,this.group]=[`rank`,`node`,`core`,`group`].map(t=>e.integers(t)),this.groups=t,this.on=ei(this.node),this.areOfOneProgram=this.rank.every((e,t)=>e===t),this.hasGroups=this.group.some(e=>e!==this.group[0])}get count(){return this.rank.length}groupName(e){return(this.groups[e]??String(e))||`none`}name(e){let t=String(this.rank[e]);return this.areOfOneProgram?t:`${t} of ${this.groupName(this.group[e])}`}get example(){return`rank ${this.name(Math.min(3,this.count-1))}`}parse(e){let t=e.trim().match(/^rank\s*(\d+)(?:\s+of\s+(.*))?$/i);if(!t)return null;let[n,r]=[Number(t[1]),t[2]],i=e=>r===void 0||this.groupName(this.group[e])===r,a=[...this.rank.keys()].filter(e=>this.rank[e]===n&&i(e));return a.length===0?{problem:`There is no such rank; "rank ${this.name(this.count-1)}" is the last.`}:a.length>1?{problem:`Several jobs have a rank ${n}: write "rank ${this.name(a[0])}".`}:{node:this.node[a[0]]}}};function ni(e,t){let[n,r]=[0,e.length];for(;n<r;){let i=n+r>>1;e[i]<=t?n=i+1:r=i}return n}var ri=class{rows;start;end;table;columns=new Map;constructor(e){this.table=e,this.rows=e.rows,this.start=e.numbers(`start_cycle`),this.end=e.numbers(`end_cycle`)}rowAt(e){let t=ni(this.end,e);return t<this.rows?t:null}shareOf(e){let t=0;return e.forEach((e,n)=>{e&&(t+=this.end[n]-this.start[n])}),t/(this.end[this.rows-1]-this.start[0])}column(e){return this.table.has(e)?S(this.columns,e,()=>this.table.numbers(e)):null}},ii=class{full;bytes;place;links;known=null;constructor(e,t,n){this.full=e.numbers(`full`),this.bytes=e.bytes(`bytes`),this.links=n.links,this.place=t===`planes`?ai(n):null}get rows(){return this.full.length}value(e,t){return this.bytes[e][this.place?this.place[t]:t]/255*this.full[e]}fill(e,t){let n=this.full[e]/255,r=this.bytes[e],{place:i}=this;if(i)for(let e=0;e<this.links;e++)t[e]=r[i[e]]*n;else for(let e=0;e<this.links;e++)t[e]=r[e]*n}overTime(e){return Float64Array.from({length:this.rows},(t,n)=>this.value(n,e))}peaks(){return this.known??=this.findPeaks(),this.known}findPeaks(){let e=new Float64Array(this.links),t=new Int32Array(this.links),n=new Float64Array(this.links);for(let r=0;r<this.rows;r++){this.fill(r,n);for(let i=0;i<this.links;i++)n[i]>e[i]&&(e[i]=n[i],t[i]=r)}return{value:e,row:t}}};function ai(e){let{shape:t}=e.facts,n=[],r=0;for(let e of t)n.push(r,r+e),r+=2*e;return Int32Array.from(e.source,(t,r)=>{let i=e.direction[r];return n[i]+e.coordinate(t,i>>1)})}var oi=class e{name;summary;facts;machine;links;series;nodes;ranks;waiting;quantities;deadLinks;peak;linkSeries=null;messages=null;calls=[];flowTable;flowRows;flowCounts;sources;static async open(t){let n={links:[`node`,`direction`,`dead`,...Jr(t.facts.machine.vcs)],wires:[`target`,`is_wrap`]},r=e=>t.tables[e]?Ar(t.tables[e],n[e]):Promise.resolve(null),i=[`links`,`wires`,`series`,`nodes`,`ranks`,`waiting`,`flows`,`flow_counts`],a={};for(let e of i)a[e]=await r(e);if(!a.links||!a.wires)throw Error(`a run needs the tables links and wires`);let o=t.tables.link_series?await Ar(t.tables.link_series,[`full`]):null;return new e(t,a,o?fi(o.numbers(`full`)):0)}constructor(e,t,n){this.peak=n,this.name=e.name,this.summary=e.summary,this.facts=e.facts,this.sources=e.tables,this.links=t.links,this.machine=new C(e.facts.machine,this.links,t.wires),this.series=t.series?new ri(t.series):null,this.nodes=t.nodes?{injected:t.nodes.numbers(`injected`),delivered:t.nodes.numbers(`delivered`)}:null,this.ranks=t.ranks?new ti(t.ranks,this.facts.groups):null,this.waiting=t.waiting?ci(t.waiting):null,this.flowTable=t.flows,this.flowRows=ei(t.flows?.integers(`link`)??new Int32Array),this.flowCounts=di(t.flow_counts),this.deadLinks=si(this.links),this.quantities=Yr(this.links,this.facts,this.waiting)}async readRest(){let{link_series:e,messages:t,calls:n}=this.sources;e&&this.facts.series&&(this.linkSeries=new ii(await Ar(e),this.facts.series,this.machine)),t&&this.ranks&&(this.messages=li(await Ar(t))),n&&(this.calls=ui(await Ar(n)))}flowsOf(e){let t=this.flowCounts.get(e);return!this.flowTable||!t?null:{listed:(this.flowRows.get(e)??[]).map(e=>this.flow(e)).sort((e,t)=>t.amount-e.amount),...t}}flow(e){let t=t=>this.flowColumn(t)[e];return{source:t(`source`),target:t(`target`),sourceNode:t(`source_node`),targetNode:t(`target_node`),amount:t(`amount`)}}flowColumns=new Map;flowColumn(e){return S(this.flowColumns,e,()=>this.flowTable.numbers(e))}parse(e){let t=this.ranks?.parse(e)??this.machine.parse(e),n=/^\s*rank/i.test(e);return!this.ranks||n||!(`problem`in t)?t:{problem:`${t.problem} A rank is ${this.ranks.example}.`}}has(e){return this.quantities.some(t=>t.id===e)}quantity(e){return this.quantities.find(t=>t.id===e)??this.quantities[0]}fill(e,t,n){this.changes(t,n)?n===`ended`?e.fill(0):this.linkSeries.fill(n,e):e.set(t.whole);for(let t of this.deadLinks)e[t]=NaN}value(e,t,n){return this.isDead(e)?NaN:this.changes(t,n)?n===`ended`?0:this.linkSeries.value(n,e):t.whole[e]}changes(e,t){return e.overTime&&t!==null&&this.linkSeries!==null}get measuredCycles(){let{start_cycle:e,end_cycle:t}=this.facts.measured;return t-e}isDead(e){return this.deadLinks.has(e)}};function si(e){let t=e.has(`dead`)?e.integers(`dead`):new Int32Array;return new Set(Array.from(t.keys()).filter(e=>t[e]===1))}function ci(e){let[t,n,r,i]=[`node`,`vc`,`link`,`target`].map(t=>e.integers(t)),[a,o]=[`receiver`,`toward`].map(t=>e.texts(t)),[s,c,l]=[`bytes`,`tokens`,`tokens_needed`].map(t=>e.numbers(t));return Array.from({length:e.rows},(e,u)=>({node:t[u],receiver:a[u],vc:n[u],toward:o[u],link:r[u],target:i[u],bytes:s[u],tokens:c[u],needed:l[u]}))}function li(e){return{source:e.integers(`source`),target:e.integers(`target`),sent:e.numbers(`sent_cycle`),arrived:e.numbers(`arrived_cycle`),call:e.integers(`call_number`)}}function ui(e){let[t,n,r]=[`number`,`start_cycle`,`end_cycle`].map(t=>e.numbers(t)),i=e.texts(`call`),a=new Map;for(let o=0;o<e.rows;o++){let e=`${t[o]}: ${i[o]}`,s=a.get(e);s?(s.start=Math.min(s.start,n[o]),s.end=Math.max(s.end,r[o])):a.set(e,{number:t[o],text:i[o],start:n[o],end:r[o]})}return[...a.values()].sort((e,t)=>e.number-t.number)}function di(e){if(!e)return new Map;let[t,n,r]=[`link`,`flows`,`total`].map(t=>e.numbers(t));return new Map(Array.from(t,(e,t)=>[e,{flows:n[t],total:r[t]}]))}function fi(e){let t=0;for(let n=0;n<e.length;n++)e[n]>t&&(t=e[n]);return t}var pi=class{store;darkPage=window.matchMedia(`(prefers-color-scheme: dark)`);announce=()=>this.store.announce(new Set([`theme`]));constructor(e){this.store=e,this.darkPage.addEventListener(`change`,this.announce)}get state(){return this.store.state}get theme(){let{theme:e}=this.state;return e===`auto`?this.darkPage.matches?`dark`:`light`:e}toggleTheme(){let e=this.theme===`dark`?`light`:`dark`;this.store.set({theme:e})}dispose(){this.darkPage.removeEventListener(`change`,this.announce)}},mi=class extends pi{runs;longest;largestDifferences=new Map;isSameMachine;constructor(e,t){super(t),this.runs=e,this.isSameMachine=hi(e);let n=e=>e.series?.end[e.series.rows-1]??-1;this.longest=e.reduce((e,t)=>n(t)>n(e)?t:e)}get series(){return this.longest.series}get run(){return this.runs[this.state.run]}get quantities(){return this.run.quantities.filter(({id:e})=>this.runs.every(t=>t.has(e)))}get quantity(){return this.run.quantity(this.state.quantity)}get isDifference(){return this.state.compare===`difference`&&this.isSameMachine}get pictured(){if(this.runs.length<2)return[0];let{compare:e}=this.state;return e===`both`?[0,1]:e===`second`?[1]:[0]}get isOfTime(){return this.quantity.overTime&&this.state.time!==null&&this.series!==null}momentOf(e,t=this.state.time){return t===null||!e.series?null:this.rowOf(e,t)??`ended`}rowOf(e,t){return e===this.longest||!this.series||!e.series?t:e.series.rowAt((this.series.start[t]+this.series.end[t])/2)}fill(e,t){this.isDifference?this.fillDifference(e,this.state.time):this.fillOf(this.runs[t],e,this.state.time)}fillDifference(e,t,n=new Float64Array(e.length)){this.fillOf(this.runs[0],n,t),this.fillOf(this.runs[1],e,t);for(let t=0;t<e.length;t++)e[t]-=n[t]}fillOf(e,t,n){e.fill(t,e.quantity(this.state.quantity),this.momentOf(e,n))}get hasScaleChoice(){let{quantity:e}=this;return e.unit===`share`&&this.largest(e)<=.8}largest({id:e,overTime:t}){if(!this.isDifference)return Math.max(...this.runs.map(t=>_i(t,t.quantity(e))));let n=t&&this.runs.every(({linkSeries:e})=>e!==null)&&this.series?this.series.rows:0;return S(this.largestDifferences,`${e} ${n}`,()=>this.largestDifference(n))}largestDifference(e){let[t,n]=[0,1].map(()=>new Float64Array(this.run.machine.links)),r=0;for(let i of[null,...Array(e).keys()]){this.fillDifference(t,i,n);for(let e of t)Math.abs(e)>r&&(r=Math.abs(e))}return r}get scale(){let{quantity:e,state:t,isDifference:n}=this,r=e.unit===`share`&&(t.scale===`full`||!this.hasScaleChoice),i=e.unit===`share`?Kr:Wr,a=r?1:i(this.largest(e));return{low:n?-a:0,high:a,isDifference:n}}get threshold(){return this.state.hide*this.scale.high}time(e){return Br(e,this.run.facts.machine.cycle_seconds)}timeWithCycles(e){let t=this.time(e);return this.run.facts.machine.cycle_seconds===null?t:`${t} (cycle ${e.toLocaleString(`en-US`)})`}select(e,t=this.state.run){this.store.set({...this.toRun(t),selection:e})}toRun(e){return e===this.state.run||this.isSameMachine?{run:e}:{run:e,selection:null,route:null}}};function hi(e){if(e.length<2)return!1;let[t,n]=e.map(({machine:e})=>e);return t.facts.shape.join()===n.facts.shape.join()&&t.links===n.links&&t.isWrap.every((e,t)=>e===n.isWrap[t])}var gi=new WeakMap;function _i(e,t){let n=gi.get(t);return n===void 0&&(n=Math.max(fi(t.whole),t.overTime?e.peak:0),gi.set(t,n)),n}function vi(e){return[...new Map(e.flatMap(yi).map(e=>[e.value,e])).values()]}function yi({ranks:e,nodes:t}){return[{value:`plain`,text:`nothing`},e?.areOfOneProgram?{value:`rank`,text:`rank`}:null,e?.hasGroups?{value:`group`,text:e.areOfOneProgram?`group of ranks`:`job`}:null,t&&{value:`injected`,text:`packets injected`},t&&{value:`delivered`,text:`packets delivered`},{value:`hidden`,text:`hidden`}].filter(e=>e!==null)}function bi(e){let t={value:`both`,text:`Both, side by side`};return e.length<2?[t]:[t,{value:`first`,text:`First: ${e[0].name}`},{value:`second`,text:`Second: ${e[1].name}`},...hi(e)?[{value:`difference`,text:`Second minus first`}]:[]]}function xi(e){let t=`Copy link`,r=e=>{n(i,e),window.setTimeout(()=>n(i,t),1500)},i=o(t,`Copy the page's address: it keeps what you see, for others and for later`,async()=>r(await Si(e.url)?`Copied`:`Not copied`));return i}async function Si(e){try{return await navigator.clipboard.writeText(e),!0}catch{return Ci(e)}}function Ci(e){let t=document.activeElement,n=document.createElement(`textarea`);n.value=e,document.body.append(n),n.select();let r=document.execCommand(`copy`);return n.remove(),t?.focus(),r}var wi=6.6,Ti=17;function Ei(e){return wi*e.length}function Di(e,t){let n=Math.max(20,Math.floor((t-32)/wi)),r=[];for(let t of e.filter(e=>e)){let e=r[r.length-1],i=`${e} · ${t}`;e!==void 0&&i.length<=n?r[r.length-1]=i:r.push(t)}return r}function Oi(e){return e.length*Ti+12}function ki(e,t,n){let r={x:16,fill:n,"font-size":12,"font-family":`system-ui, sans-serif`};return e.map((e,n)=>i(`text`,{...r,y:t+18+n*Ti},e))}function Ai(e,t){return`${e.map(e=>e.replaceAll(`µ`,`u`).replace(/[^\w.-]+/g,`-`).replace(/^[-.]+|-+$/g,``).slice(0,60)).filter(e=>e).join(`_`).slice(0,180)||`torus`}.${t}`}var ji=[`440154`,`482374`,`404387`,`345e8d`,`29788e`,`208f8c`,`22a784`,`42be71`,`79d151`,`bade27`,`fde725`].map(Ui),Mi={first:.1,last:1},Ni={first:.93,last:0},Pi={dark:[`4aa8ff`,`2f6ea8`,`343a42`,`b0662a`,`ffa24a`].map(Ui),light:[`0b5cad`,`7fb3dd`,`dfe2e6`,`e8ab74`,`b34700`].map(Ui)},Fi=[`4e9fe6`,`f28e2b`,`59b68c`,`e8c547`,`b681d6`,`e06c75`,`56c7d6`,`9c755f`,`a0cb5b`,`f4a6c0`,`8791a5`,`c95fb4`].map(Ui),Ii={dark:{ground:Ui(`0d1117`),node:Ui(`6e7a88`),dead:Ui(`ff5c57`),ring:Ui(`ff4fa3`),select:Ui(`ffffff`),route:Ui(`39c5ff`),escape:Ui(`ffffff`),message:Ui(`ff9e64`)},light:{ground:Ui(`ffffff`),node:Ui(`9aa4b0`),dead:Ui(`d1242f`),ring:Ui(`c2186b`),select:Ui(`000000`),route:Ui(`0969da`),escape:Ui(`000000`),message:Ui(`c4570a`)}};function Li(e,t,n){if(e===`differences`)return Hi(Pi[t],n);let{first:r,last:i}=t===`dark`?Mi:Ni;return Hi(ji,r+(i-r)*n)}function Ri(e){return Fi[e%Fi.length]}function zi([e,t,n]){return`rgb(${e},${t},${n})`}function Bi(e,t){return Uint32Array.from({length:256},(n,r)=>{let i=r/255,a=e===`differences`?Math.abs(2*i-1):i;return Vi(Li(e,t,i),.14+.86*a)})}function Vi([e,t,n],r){return(Math.max(1,Math.round(255*r))<<24|n<<16|t<<8|e)>>>0}function Hi(e,t){let n=Math.min(Math.max(t,0),1)*(e.length-1),r=Math.min(Math.floor(n),e.length-2),i=t=>Math.round(e[r][t]+(e[r+1][t]-e[r][t])*(n-r));return[i(0),i(1),i(2)]}function Ui(e){return[0,2,4].map(t=>Number.parseInt(e.slice(t,t+2),16))}function Wi({run:e,state:t}){let{ranks:n,nodes:r}=e;if(t.nodes===`group`&&n){let e=[...new Set(n.group)].sort((e,t)=>e-t),t=e.slice(0,Fi.length),r=e.length>t.length?` (colors repeat after ${t.length})`:``;return{text:`Nodes by ${n.areOfOneProgram?`group`:`job`}${r}: `,items:t.map(e=>({color:Ri(e),name:n.groupName(e)}))}}if(t.nodes===`rank`&&n)return{text:`Nodes by first rank: 0 to ${q(n.count-1)}, in the colors of links`,items:[]};if((t.nodes===`injected`||t.nodes===`delivered`)&&r){let e=r[t.nodes].reduce((e,t)=>Math.max(e,t),0);return{text:`Nodes by packets ${t.nodes}: 0 to ${q(e)}, in the colors of links`,items:[]}}return null}var Gi=1e3,Ki=1001,qi=1002,Ji=1003,Yi=1004,Xi=1005,Zi=1006,Qi=1007,$i=1008,ea=1009,ta=1010,na=1011,ra=1012,ia=1013,aa=1014,oa=1015,sa=1016,ca=1017,la=1018,ua=1020,da=35902,fa=35899,pa=1021,ma=1022,ha=1023,ga=1026,_a=1027,va=1028,ya=1029,ba=1030,xa=1031,Sa=1033,Ca=33776,wa=33777,Ta=33778,Ea=33779,Da=35840,Oa=35841,ka=35842,Aa=35843,ja=36196,Ma=37492,Na=37496,Pa=37488,Fa=37489,Ia=37490,La=37491,Ra=37808,za=37809,Ba=37810,Va=37811,Ha=37812,Ua=37813,Wa=37814,Ga=37815,Ka=37816,qa=37817,Ja=37818,Ya=37819,Xa=37820,Za=37821,Qa=36492,$a=36494,eo=36495,to=36283,no=36284,ro=36285,io=36286,ao=2300,oo=2301,so=2302,co=2303,lo=2400,uo=2401,fo=2402,po=3200,mo=`srgb`,ho=`srgb-linear`,go=`linear`,_o=`srgb`,vo=7680,yo=35044,bo=35048,xo=`300 es`,So=2e3;function Co(e){for(let t=e.length-1;t>=0;--t)if(e[t]>=65535)return!0;return!1}function wo(e){return ArrayBuffer.isView(e)&&!(e instanceof DataView)}function To(e){return document.createElementNS(`http://www.w3.org/1999/xhtml`,e)}function Eo(){let e=To(`canvas`);return e.style.display=`block`,e}var Do={};function Oo(...e){let t=`THREE.`+e.shift();console.log(t,...e)}function ko(e){let t=e[0];if(typeof t==`string`&&t.startsWith(`TSL:`)){let t=e[1];t&&t.isStackTrace?e[0]+=` `+t.getLocation():e[1]=`Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.`}return e}function J(...e){e=ko(e);let t=`THREE.`+e.shift();{let n=e[0];n&&n.isStackTrace?console.warn(n.getError(t)):console.warn(t,...e)}}function Y(...e){e=ko(e);let t=`THREE.`+e.shift();{let n=e[0];n&&n.isStackTrace?console.error(n.getError(t)):console.error(t,...e)}}function Ao(...e){let t=e.join(` `);t in Do||(Do[t]=!0,J(...e))}function jo(e,t,n){return new Promise(function(r,i){function a(){switch(e.clientWaitSync(t,e.SYNC_FLUSH_COMMANDS_BIT,0)){case e.WAIT_FAILED:i();break;case e.TIMEOUT_EXPIRED:setTimeout(a,n);break;default:r()}}setTimeout(a,n)})}var Mo={0:0,2:6,4:4,3:5,1:1,6:2,7:7,5:3},No=class{addEventListener(e,t){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[e]===void 0&&(n[e]=[]),n[e].indexOf(t)===-1&&n[e].push(t)}hasEventListener(e,t){let n=this._listeners;return n!==void 0&&n[e]!==void 0&&n[e].indexOf(t)!==-1}removeEventListener(e,t){let n=this._listeners;if(n===void 0)return;let r=n[e];if(r!==void 0){let e=r.indexOf(t);e!==-1&&r.splice(e,1)}}dispatchEvent(e){let t=this._listeners;if(t===void 0)return;let n=t[e.type];if(n!==void 0){e.target=this;let t=n.slice(0);for(let n=0,r=t.length;n<r;n++)t[n].call(this,e);e.target=null}}},Po=`00.01.02.03.04.05.06.07.08.09.0a.0b.0c.0d.0e.0f.10.11.12.13.14.15.16.17.18.19.1a.1b.1c.1d.1e.1f.20.21.22.23.24.25.26.27.28.29.2a.2b.2c.2d.2e.2f.30.31.32.33.34.35.36.37.38.39.3a.3b.3c.3d.3e.3f.40.41.42.43.44.45.46.47.48.49.4a.4b.4c.4d.4e.4f.50.51.52.53.54.55.56.57.58.59.5a.5b.5c.5d.5e.5f.60.61.62.63.64.65.66.67.68.69.6a.6b.6c.6d.6e.6f.70.71.72.73.74.75.76.77.78.79.7a.7b.7c.7d.7e.7f.80.81.82.83.84.85.86.87.88.89.8a.8b.8c.8d.8e.8f.90.91.92.93.94.95.96.97.98.99.9a.9b.9c.9d.9e.9f.a0.a1.a2.a3.a4.a5.a6.a7.a8.a9.aa.ab.ac.ad.ae.af.b0.b1.b2.b3.b4.b5.b6.b7.b8.b9.ba.bb.bc.bd.be.bf.c0.c1.c2.c3.c4.c5.c6.c7.c8.c9.ca.cb.cc.cd.ce.cf.d0.d1.d2.d3.d4.d5.d6.d7.d8.d9.da.db.dc.dd.de.df.e0.e1.e2.e3.e4.e5.e6.e7.e8.e9.ea.eb.ec.ed.ee.ef.f0.f1.f2.f3.f4.f5.f6.f7.f8.f9.fa.fb.fc.fd.fe.ff`.split(`.`),Fo=Math.PI/180,Io=180/Math.PI;function Lo(){let e=Math.random()*4294967295|0,t=Math.random()*4294967295|0,n=Math.random()*4294967295|0,r=Math.random()*4294967295|0;return(Po[e&255]+Po[e>>8&255]+Po[e>>16&255]+Po[e>>24&255]+`-`+Po[t&255]+Po[t>>8&255]+`-`+Po[t>>16&15|64]+Po[t>>24&255]+`-`+Po[n&63|128]+Po[n>>8&255]+`-`+Po[n>>16&255]+Po[n>>24&255]+Po[r&255]+Po[r>>8&255]+Po[r>>16&255]+Po[r>>24&255]).toLowerCase()}function Ro(e,t,n){return Math.max(t,Math.min(n,e))}function zo(e,t){return(e%t+t)%t}function Bo(e,t,n){return(1-n)*e+n*t}function Vo(e){return 2**Math.floor(Math.log(e)/Math.LN2)}function Ho(e){switch(e.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function Uo(e,t){if(t.constructor===Float32Array)return e;let n=Ho(t);if(n===void 0)throw Error(`THREE.MathUtils: Invalid component type.`);return Math.max(e/n,-1)}function Wo(e,t){if(t.constructor===Float32Array)return e;let n=Ho(t);if(n===void 0)throw Error(`THREE.MathUtils: Invalid component type.`);return Math.round(e*n)}var Go=class{static{this.prototype.isVector2=!0}constructor(e=0,t=0){this.x=e,this.y=t}get width(){return this.x}set width(e){this.x=e}get height(){return this.y}set height(e){this.y=e}set(e,t){return this.x=e,this.y=t,this}setScalar(e){return this.x=e,this.y=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;default:throw Error(`THREE.Vector2: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;default:throw Error(`THREE.Vector2: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y)}copy(e){return this.x=e.x,this.y=e.y,this}add(e){return this.x+=e.x,this.y+=e.y,this}addScalar(e){return this.x+=e,this.y+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this}subScalar(e){return this.x-=e,this.y-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this}multiply(e){return this.x*=e.x,this.y*=e.y,this}multiplyScalar(e){return this.x*=e,this.y*=e,this}divide(e){return this.x/=e.x,this.y/=e.y,this}divideScalar(e){return this.multiplyScalar(1/e)}applyMatrix3(e){let t=this.x,n=this.y,r=e.elements;return this.x=r[0]*t+r[3]*n+r[6],this.y=r[1]*t+r[4]*n+r[7],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this}clamp(e,t){return this.x=Ro(this.x,e.x,t.x),this.y=Ro(this.y,e.y,t.y),this}clampScalar(e,t){return this.x=Ro(this.x,e,t),this.y=Ro(this.y,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Ro(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(e){return this.x*e.x+this.y*e.y}cross(e){return this.x*e.y-this.y*e.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(Ro(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y;return t*t+n*n}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this}equals(e){return e.x===this.x&&e.y===this.y}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this}rotateAround(e,t){let n=Math.cos(t),r=Math.sin(t),i=this.x-e.x,a=this.y-e.y;return this.x=i*n-a*r+e.x,this.y=i*r+a*n+e.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},Ko=class{constructor(e=0,t=0,n=0,r=1){this.isQuaternion=!0,this._x=e,this._y=t,this._z=n,this._w=r}static slerpFlat(e,t,n,r,i,a,o){let s=n[r+0],c=n[r+1],l=n[r+2],u=n[r+3],d=i[a+0],f=i[a+1],p=i[a+2],m=i[a+3];if(u!==m||s!==d||c!==f||l!==p){let e=s*d+c*f+l*p+u*m;e<0&&(d=-d,f=-f,p=-p,m=-m,e=-e);let t=1-o;if(e<.9995){let n=Math.acos(e),r=Math.sin(n);t=Math.sin(t*n)/r,o=Math.sin(o*n)/r,s=s*t+d*o,c=c*t+f*o,l=l*t+p*o,u=u*t+m*o}else{s=s*t+d*o,c=c*t+f*o,l=l*t+p*o,u=u*t+m*o;let e=1/Math.sqrt(s*s+c*c+l*l+u*u);s*=e,c*=e,l*=e,u*=e}}e[t]=s,e[t+1]=c,e[t+2]=l,e[t+3]=u}static multiplyQuaternionsFlat(e,t,n,r,i,a){let o=n[r],s=n[r+1],c=n[r+2],l=n[r+3],u=i[a],d=i[a+1],f=i[a+2],p=i[a+3];return e[t]=o*p+l*u+s*f-c*d,e[t+1]=s*p+l*d+c*u-o*f,e[t+2]=c*p+l*f+o*d-s*u,e[t+3]=l*p-o*u-s*d-c*f,e}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get w(){return this._w}set w(e){this._w=e,this._onChangeCallback()}set(e,t,n,r){return this._x=e,this._y=t,this._z=n,this._w=r,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(e){return this._x=e.x,this._y=e.y,this._z=e.z,this._w=e.w,this._onChangeCallback(),this}setFromEuler(e,t=!0){let n=e._x,r=e._y,i=e._z,a=e._order,o=Math.cos,s=Math.sin,c=o(n/2),l=o(r/2),u=o(i/2),d=s(n/2),f=s(r/2),p=s(i/2);switch(a){case`XYZ`:this._x=d*l*u+c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u-d*f*p;break;case`YXZ`:this._x=d*l*u+c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u+d*f*p;break;case`ZXY`:this._x=d*l*u-c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u-d*f*p;break;case`ZYX`:this._x=d*l*u-c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u+d*f*p;break;case`YZX`:this._x=d*l*u+c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u-d*f*p;break;case`XZY`:this._x=d*l*u-c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u+d*f*p;break;default:J(`Quaternion: .setFromEuler() encountered an unknown order: `+a)}return t===!0&&this._onChangeCallback(),this}setFromAxisAngle(e,t){let n=t/2,r=Math.sin(n);return this._x=e.x*r,this._y=e.y*r,this._z=e.z*r,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(e){let t=e.elements,n=t[0],r=t[4],i=t[8],a=t[1],o=t[5],s=t[9],c=t[2],l=t[6],u=t[10],d=n+o+u;if(d>0){let e=.5/Math.sqrt(d+1);this._w=.25/e,this._x=(l-s)*e,this._y=(i-c)*e,this._z=(a-r)*e}else if(n>o&&n>u){let e=2*Math.sqrt(1+n-o-u);this._w=(l-s)/e,this._x=.25*e,this._y=(r+a)/e,this._z=(i+c)/e}else if(o>u){let e=2*Math.sqrt(1+o-n-u);this._w=(i-c)/e,this._x=(r+a)/e,this._y=.25*e,this._z=(s+l)/e}else{let e=2*Math.sqrt(1+u-n-o);this._w=(a-r)/e,this._x=(i+c)/e,this._y=(s+l)/e,this._z=.25*e}return this._onChangeCallback(),this}setFromUnitVectors(e,t){let n=e.dot(t)+1;return n<1e-8?(n=0,Math.abs(e.x)>Math.abs(e.z)?(this._x=-e.y,this._y=e.x,this._z=0,this._w=n):(this._x=0,this._y=-e.z,this._z=e.y,this._w=n)):(this._x=e.y*t.z-e.z*t.y,this._y=e.z*t.x-e.x*t.z,this._z=e.x*t.y-e.y*t.x,this._w=n),this.normalize()}angleTo(e){return 2*Math.acos(Math.abs(Ro(this.dot(e),-1,1)))}rotateTowards(e,t){let n=this.angleTo(e);if(n===0)return this;let r=Math.min(1,t/n);return this.slerp(e,r),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(e){return this._x*e._x+this._y*e._y+this._z*e._z+this._w*e._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let e=this.length();return e===0?(this._x=0,this._y=0,this._z=0,this._w=1):(e=1/e,this._x*=e,this._y*=e,this._z*=e,this._w*=e),this._onChangeCallback(),this}multiply(e){return this.multiplyQuaternions(this,e)}premultiply(e){return this.multiplyQuaternions(e,this)}multiplyQuaternions(e,t){let n=e._x,r=e._y,i=e._z,a=e._w,o=t._x,s=t._y,c=t._z,l=t._w;return this._x=n*l+a*o+r*c-i*s,this._y=r*l+a*s+i*o-n*c,this._z=i*l+a*c+n*s-r*o,this._w=a*l-n*o-r*s-i*c,this._onChangeCallback(),this}slerp(e,t){let n=e._x,r=e._y,i=e._z,a=e._w,o=this.dot(e);o<0&&(n=-n,r=-r,i=-i,a=-a,o=-o);let s=1-t;if(o<.9995){let e=Math.acos(o),c=Math.sin(e);s=Math.sin(s*e)/c,t=Math.sin(t*e)/c,this._x=this._x*s+n*t,this._y=this._y*s+r*t,this._z=this._z*s+i*t,this._w=this._w*s+a*t,this._onChangeCallback()}else this._x=this._x*s+n*t,this._y=this._y*s+r*t,this._z=this._z*s+i*t,this._w=this._w*s+a*t,this.normalize();return this}slerpQuaternions(e,t,n){return this.copy(e).slerp(t,n)}random(){let e=2*Math.PI*Math.random(),t=2*Math.PI*Math.random(),n=Math.random(),r=Math.sqrt(1-n),i=Math.sqrt(n);return this.set(r*Math.sin(e),r*Math.cos(e),i*Math.sin(t),i*Math.cos(t))}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._w===this._w}fromArray(e,t=0){return this._x=e[t],this._y=e[t+1],this._z=e[t+2],this._w=e[t+3],this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._w,e}fromBufferAttribute(e,t){return this._x=e.getX(t),this._y=e.getY(t),this._z=e.getZ(t),this._w=e.getW(t),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},X=class{static{this.prototype.isVector3=!0}constructor(e=0,t=0,n=0){this.x=e,this.y=t,this.z=n}set(e,t,n){return n===void 0&&(n=this.z),this.x=e,this.y=t,this.z=n,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;default:throw Error(`THREE.Vector3: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw Error(`THREE.Vector3: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this}multiplyVectors(e,t){return this.x=e.x*t.x,this.y=e.y*t.y,this.z=e.z*t.z,this}applyEuler(e){return this.applyQuaternion(Jo.setFromEuler(e))}applyAxisAngle(e,t){return this.applyQuaternion(Jo.setFromAxisAngle(e,t))}applyMatrix3(e){let t=this.x,n=this.y,r=this.z,i=e.elements;return this.x=i[0]*t+i[3]*n+i[6]*r,this.y=i[1]*t+i[4]*n+i[7]*r,this.z=i[2]*t+i[5]*n+i[8]*r,this}applyNormalMatrix(e){return this.applyMatrix3(e).normalize()}applyMatrix4(e){let t=this.x,n=this.y,r=this.z,i=e.elements,a=1/(i[3]*t+i[7]*n+i[11]*r+i[15]);return this.x=(i[0]*t+i[4]*n+i[8]*r+i[12])*a,this.y=(i[1]*t+i[5]*n+i[9]*r+i[13])*a,this.z=(i[2]*t+i[6]*n+i[10]*r+i[14])*a,this}applyQuaternion(e){let t=this.x,n=this.y,r=this.z,i=e.x,a=e.y,o=e.z,s=e.w,c=2*(a*r-o*n),l=2*(o*t-i*r),u=2*(i*n-a*t);return this.x=t+s*c+a*u-o*l,this.y=n+s*l+o*c-i*u,this.z=r+s*u+i*l-a*c,this}project(e){return this.applyMatrix4(e.matrixWorldInverse).applyMatrix4(e.projectionMatrix)}unproject(e){return this.applyMatrix4(e.projectionMatrixInverse).applyMatrix4(e.matrixWorld)}transformDirection(e){let t=this.x,n=this.y,r=this.z,i=e.elements;return this.x=i[0]*t+i[4]*n+i[8]*r,this.y=i[1]*t+i[5]*n+i[9]*r,this.z=i[2]*t+i[6]*n+i[10]*r,this.normalize()}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this}divideScalar(e){return this.multiplyScalar(1/e)}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this}clamp(e,t){return this.x=Ro(this.x,e.x,t.x),this.y=Ro(this.y,e.y,t.y),this.z=Ro(this.z,e.z,t.z),this}clampScalar(e,t){return this.x=Ro(this.x,e,t),this.y=Ro(this.y,e,t),this.z=Ro(this.z,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Ro(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this}cross(e){return this.crossVectors(this,e)}crossVectors(e,t){let n=e.x,r=e.y,i=e.z,a=t.x,o=t.y,s=t.z;return this.x=r*s-i*o,this.y=i*a-n*s,this.z=n*o-r*a,this}projectOnVector(e){let t=e.lengthSq();if(t===0)return this.set(0,0,0);let n=e.dot(this)/t;return this.copy(e).multiplyScalar(n)}projectOnPlane(e){return qo.copy(this).projectOnVector(e),this.sub(qo)}reflect(e){return this.sub(qo.copy(e).multiplyScalar(2*this.dot(e)))}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(Ro(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y,r=this.z-e.z;return t*t+n*n+r*r}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)+Math.abs(this.z-e.z)}setFromSpherical(e){return this.setFromSphericalCoords(e.radius,e.phi,e.theta)}setFromSphericalCoords(e,t,n){let r=Math.sin(t)*e;return this.x=r*Math.sin(n),this.y=Math.cos(t)*e,this.z=r*Math.cos(n),this}setFromCylindrical(e){return this.setFromCylindricalCoords(e.radius,e.theta,e.y)}setFromCylindricalCoords(e,t,n){return this.x=e*Math.sin(t),this.y=n,this.z=e*Math.cos(t),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this}setFromMatrixScale(e){let t=this.setFromMatrixColumn(e,0).length(),n=this.setFromMatrixColumn(e,1).length(),r=this.setFromMatrixColumn(e,2).length();return this.x=t,this.y=n,this.z=r,this}setFromMatrixColumn(e,t){return this.fromArray(e.elements,t*4)}setFromMatrix3Column(e,t){return this.fromArray(e.elements,t*3)}setFromEuler(e){return this.x=e._x,this.y=e._y,this.z=e._z,this}setFromColor(e){return this.x=e.r,this.y=e.g,this.z=e.b,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let e=Math.random()*Math.PI*2,t=Math.random()*2-1,n=Math.sqrt(1-t*t);return this.x=n*Math.cos(e),this.y=t,this.z=n*Math.sin(e),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},qo=new X,Jo=new Ko,Z=class{static{this.prototype.isMatrix3=!0}constructor(e,t,n,r,i,a,o,s,c){this.elements=[1,0,0,0,1,0,0,0,1],e!==void 0&&this.set(e,t,n,r,i,a,o,s,c)}set(e,t,n,r,i,a,o,s,c){let l=this.elements;return l[0]=e,l[1]=r,l[2]=o,l[3]=t,l[4]=i,l[5]=s,l[6]=n,l[7]=a,l[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],this}extractBasis(e,t,n){return e.setFromMatrix3Column(this,0),t.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(e){let t=e.elements;return this.set(t[0],t[4],t[8],t[1],t[5],t[9],t[2],t[6],t[10]),this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,r=t.elements,i=this.elements,a=n[0],o=n[3],s=n[6],c=n[1],l=n[4],u=n[7],d=n[2],f=n[5],p=n[8],m=r[0],h=r[3],g=r[6],_=r[1],v=r[4],y=r[7],b=r[2],x=r[5],S=r[8];return i[0]=a*m+o*_+s*b,i[3]=a*h+o*v+s*x,i[6]=a*g+o*y+s*S,i[1]=c*m+l*_+u*b,i[4]=c*h+l*v+u*x,i[7]=c*g+l*y+u*S,i[2]=d*m+f*_+p*b,i[5]=d*h+f*v+p*x,i[8]=d*g+f*y+p*S,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[3]*=e,t[6]*=e,t[1]*=e,t[4]*=e,t[7]*=e,t[2]*=e,t[5]*=e,t[8]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8];return t*a*l-t*o*c-n*i*l+n*o*s+r*i*c-r*a*s}invert(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8],u=l*a-o*c,d=o*s-l*i,f=c*i-a*s,p=t*u+n*d+r*f;if(p===0)return this.set(0,0,0,0,0,0,0,0,0);let m=1/p;return e[0]=u*m,e[1]=(r*c-l*n)*m,e[2]=(o*n-r*a)*m,e[3]=d*m,e[4]=(l*t-r*s)*m,e[5]=(r*i-o*t)*m,e[6]=f*m,e[7]=(n*s-c*t)*m,e[8]=(a*t-n*i)*m,this}transpose(){let e,t=this.elements;return e=t[1],t[1]=t[3],t[3]=e,e=t[2],t[2]=t[6],t[6]=e,e=t[5],t[5]=t[7],t[7]=e,this}getNormalMatrix(e){return this.setFromMatrix4(e).invert().transpose()}transposeIntoArray(e){let t=this.elements;return e[0]=t[0],e[1]=t[3],e[2]=t[6],e[3]=t[1],e[4]=t[4],e[5]=t[7],e[6]=t[2],e[7]=t[5],e[8]=t[8],this}setUvTransform(e,t,n,r,i,a,o){let s=Math.cos(i),c=Math.sin(i);return this.set(n*s,n*c,-n*(s*a+c*o)+a+e,-r*c,r*s,-r*(-c*a+s*o)+o+t,0,0,1),this}scale(e,t){return Ao(`Matrix3: .scale() is deprecated. Use .makeScale() instead.`),this.premultiply(Yo.makeScale(e,t)),this}rotate(e){return Ao(`Matrix3: .rotate() is deprecated. Use .makeRotation() instead.`),this.premultiply(Yo.makeRotation(-e)),this}translate(e,t){return Ao(`Matrix3: .translate() is deprecated. Use .makeTranslation() instead.`),this.premultiply(Yo.makeTranslation(e,t)),this}makeTranslation(e,t){return e.isVector2?this.set(1,0,e.x,0,1,e.y,0,0,1):this.set(1,0,e,0,1,t,0,0,1),this}makeRotation(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,n,t,0,0,0,1),this}makeScale(e,t){return this.set(e,0,0,0,t,0,0,0,1),this}equals(e){let t=this.elements,n=e.elements;for(let e=0;e<9;e++)if(t[e]!==n[e])return!1;return!0}fromArray(e,t=0){for(let n=0;n<9;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e}clone(){return new this.constructor().fromArray(this.elements)}},Yo=new Z,Xo=new Z().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),Zo=new Z().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function Qo(){let e={enabled:!0,workingColorSpace:ho,spaces:{},convert:function(e,t,n){return this.enabled===!1||t===n||!t||!n||(this.spaces[t].transfer===`srgb`&&(e.r=es(e.r),e.g=es(e.g),e.b=es(e.b)),this.spaces[t].primaries!==this.spaces[n].primaries&&(e.applyMatrix3(this.spaces[t].toXYZ),e.applyMatrix3(this.spaces[n].fromXYZ)),this.spaces[n].transfer===`srgb`&&(e.r=ts(e.r),e.g=ts(e.g),e.b=ts(e.b))),e},workingToColorSpace:function(e,t){return this.convert(e,this.workingColorSpace,t)},colorSpaceToWorking:function(e,t){return this.convert(e,t,this.workingColorSpace)},getPrimaries:function(e){return this.spaces[e].primaries},getTransfer:function(e){return e===``?go:this.spaces[e].transfer},getToneMappingMode:function(e){return this.spaces[e].outputColorSpaceConfig.toneMappingMode||`standard`},getLuminanceCoefficients:function(e,t=this.workingColorSpace){return e.fromArray(this.spaces[t].luminanceCoefficients)},define:function(e){Object.assign(this.spaces,e)},_getMatrix:function(e,t,n){return e.copy(this.spaces[n].fromXYZ).multiply(this.spaces[t].toXYZ)},_getDrawingBufferColorSpace:function(e){return this.spaces[e].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(e=this.workingColorSpace){return this.spaces[e].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],n=[.2126,.7152,.0722],r=[.3127,.329];return e.define({[ho]:{primaries:t,whitePoint:r,transfer:go,toXYZ:Xo,fromXYZ:Zo,luminanceCoefficients:n,workingColorSpaceConfig:{unpackColorSpace:mo},outputColorSpaceConfig:{drawingBufferColorSpace:mo}},[mo]:{primaries:t,whitePoint:r,transfer:_o,toXYZ:Xo,fromXYZ:Zo,luminanceCoefficients:n,outputColorSpaceConfig:{drawingBufferColorSpace:mo}}}),e}var $o=Qo();function es(e){return e<.04045?e*.0773993808:(e*.9478672986+.0521327014)**2.4}function ts(e){return e<.0031308?e*12.92:1.055*e**.41666-.055}var ns,rs=class{static getDataURL(e,t=`image/png`){if(/^data:/i.test(e.src)||typeof HTMLCanvasElement>`u`)return e.src;let n;if(e instanceof HTMLCanvasElement)n=e;else{ns===void 0&&(ns=To(`canvas`)),ns.width=e.width,ns.height=e.height;let t=ns.getContext(`2d`);e instanceof ImageData?t.putImageData(e,0,0):t.drawImage(e,0,0,e.width,e.height),n=ns}return n.toDataURL(t)}static sRGBToLinear(e){if(typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap){let t=To(`canvas`);t.width=e.width,t.height=e.height;let n=t.getContext(`2d`);n.drawImage(e,0,0,e.width,e.height);let r=n.getImageData(0,0,e.width,e.height),i=r.data;for(let e=0;e<i.length;e++)i[e]=es(i[e]/255)*255;return n.putImageData(r,0,0),t}if(e.data){let t=e.data.slice(0);for(let e=0;e<t.length;e++)t instanceof Uint8Array||t instanceof Uint8ClampedArray?t[e]=Math.floor(es(t[e]/255)*255):t[e]=es(t[e]);return{data:t,width:e.width,height:e.height}}return J(`ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied.`),e}},is=0,as=class{constructor(e=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:is++}),this.uuid=Lo(),this.data=e,this.dataReady=!0,this.version=0}getSize(e){let t=this.data;return typeof HTMLVideoElement<`u`&&t instanceof HTMLVideoElement?e.set(t.videoWidth,t.videoHeight,0):typeof VideoFrame<`u`&&t instanceof VideoFrame?e.set(t.displayWidth,t.displayHeight,0):t===null?e.set(0,0,0):e.set(t.width||0,t.height||0,t.depth||0),e}set needsUpdate(e){e===!0&&this.version++}toJSON(e){let t=e===void 0||typeof e==`string`;if(!t&&e.images[this.uuid]!==void 0)return e.images[this.uuid];let n={uuid:this.uuid,url:``},r=this.data;if(r!==null){let e;if(Array.isArray(r)){e=[];for(let t=0,n=r.length;t<n;t++)r[t].isDataTexture?e.push(os(r[t].image)):e.push(os(r[t]))}else e=os(r);n.url=e}return t||(e.images[this.uuid]=n),n}};function os(e){return typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap?rs.getDataURL(e):e.data?{data:Array.from(e.data),width:e.width,height:e.height,type:e.data.constructor.name}:(J(`Texture: Unable to serialize Texture.`),{})}var ss=0,cs=new X,ls=class e extends No{constructor(t=e.DEFAULT_IMAGE,n=e.DEFAULT_MAPPING,r=Ki,i=Ki,a=Zi,o=$i,s=ha,c=ea,l=e.DEFAULT_ANISOTROPY,u=``){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:ss++}),this.uuid=Lo(),this.name=``,this.source=new as(t),this.mipmaps=[],this.mapping=n,this.channel=0,this.wrapS=r,this.wrapT=i,this.magFilter=a,this.minFilter=o,this.anisotropy=l,this.format=s,this.internalFormat=null,this.type=c,this.offset=new Go(0,0),this.repeat=new Go(1,1),this.center=new Go(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new Z,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=u,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(cs).x}get height(){return this.source.getSize(cs).y}get depth(){return this.source.getSize(cs).z}get image(){return this.source.data}set image(e){this.source.data=e}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(e){return this.name=e.name,this.source=e.source,this.mipmaps=e.mipmaps.slice(0),this.mapping=e.mapping,this.channel=e.channel,this.wrapS=e.wrapS,this.wrapT=e.wrapT,this.magFilter=e.magFilter,this.minFilter=e.minFilter,this.anisotropy=e.anisotropy,this.format=e.format,this.internalFormat=e.internalFormat,this.type=e.type,this.normalized=e.normalized,this.offset.copy(e.offset),this.repeat.copy(e.repeat),this.center.copy(e.center),this.rotation=e.rotation,this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrix.copy(e.matrix),this.generateMipmaps=e.generateMipmaps,this.mipmapsAutoUpdate=e.mipmapsAutoUpdate,this.premultiplyAlpha=e.premultiplyAlpha,this.flipY=e.flipY,this.unpackAlignment=e.unpackAlignment,this.colorSpace=e.colorSpace,this.renderTarget=e.renderTarget,this.isRenderTargetTexture=e.isRenderTargetTexture,this.isPMREMTexture=e.isPMREMTexture,this.isArrayTexture=e.isArrayTexture,this.userData=JSON.parse(JSON.stringify(e.userData)),this.needsUpdate=!0,this}setValues(e){for(let t in e){let n=e[t];if(n===void 0){J(`Texture.setValues(): parameter '${t}' has value of undefined.`);continue}let r=this[t];r===void 0?J(`Texture.setValues(): property '${t}' does not exist.`):r&&n&&r.isVector2&&n.isVector2||r&&n&&r.isVector3&&n.isVector3||r&&n&&r.isMatrix3&&n.isMatrix3?r.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e==`string`;if(!t&&e.textures[this.uuid]!==void 0)return e.textures[this.uuid];let n={metadata:{version:4.7,type:`Texture`,generator:`Texture.toJSON`},uuid:this.uuid,name:this.name,image:this.source.toJSON(e).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),t||(e.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:`dispose`})}transformUv(e){if(this.mapping!==300)return e;if(e.applyMatrix3(this.matrix),e.x<0||e.x>1)switch(this.wrapS){case Gi:e.x-=Math.floor(e.x);break;case Ki:e.x=e.x<0?0:1;break;case qi:Math.abs(Math.floor(e.x)%2)===1?e.x=Math.ceil(e.x)-e.x:e.x-=Math.floor(e.x)}if(e.y<0||e.y>1)switch(this.wrapT){case Gi:e.y-=Math.floor(e.y);break;case Ki:e.y=e.y<0?0:1;break;case qi:Math.abs(Math.floor(e.y)%2)===1?e.y=Math.ceil(e.y)-e.y:e.y-=Math.floor(e.y)}return this.flipY&&(e.y=1-e.y),e}set needsUpdate(e){e===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(e){e===!0&&this.pmremVersion++}};ls.DEFAULT_IMAGE=null,ls.DEFAULT_MAPPING=300,ls.DEFAULT_ANISOTROPY=1;var us=class{static{this.prototype.isVector4=!0}constructor(e=0,t=0,n=0,r=1){this.x=e,this.y=t,this.z=n,this.w=r}get width(){return this.z}set width(e){this.z=e}get height(){return this.w}set height(e){this.w=e}set(e,t,n,r){return this.x=e,this.y=t,this.z=n,this.w=r,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this.w=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setW(e){return this.w=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;case 3:this.w=t;break;default:throw Error(`THREE.Vector4: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw Error(`THREE.Vector4: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this.w=e.w===void 0?1:e.w,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this.w+=e.w,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this.w+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this.w=e.w+t.w,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this.w+=e.w*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this.w-=e.w,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this.w-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this.w=e.w-t.w,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this.w*=e.w,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this.w*=e,this}applyMatrix4(e){let t=this.x,n=this.y,r=this.z,i=this.w,a=e.elements;return this.x=a[0]*t+a[4]*n+a[8]*r+a[12]*i,this.y=a[1]*t+a[5]*n+a[9]*r+a[13]*i,this.z=a[2]*t+a[6]*n+a[10]*r+a[14]*i,this.w=a[3]*t+a[7]*n+a[11]*r+a[15]*i,this}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this.w/=e.w,this}divideScalar(e){return this.multiplyScalar(1/e)}setAxisAngleFromQuaternion(e){this.w=2*Math.acos(e.w);let t=Math.sqrt(1-e.w*e.w);return t<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=e.x/t,this.y=e.y/t,this.z=e.z/t),this}setAxisAngleFromRotationMatrix(e){let t,n,r,i,a=.01,o=.1,s=e.elements,c=s[0],l=s[4],u=s[8],d=s[1],f=s[5],p=s[9],m=s[2],h=s[6],g=s[10];if(Math.abs(l-d)<a&&Math.abs(u-m)<a&&Math.abs(p-h)<a){if(Math.abs(l+d)<o&&Math.abs(u+m)<o&&Math.abs(p+h)<o&&Math.abs(c+f+g-3)<o)return this.set(1,0,0,0),this;t=Math.PI;let e=(c+1)/2,s=(f+1)/2,_=(g+1)/2,v=(l+d)/4,y=(u+m)/4,b=(p+h)/4;return e>s&&e>_?e<a?(n=0,r=.707106781,i=.707106781):(n=Math.sqrt(e),r=v/n,i=y/n):s>_?s<a?(n=.707106781,r=0,i=.707106781):(r=Math.sqrt(s),n=v/r,i=b/r):_<a?(n=.707106781,r=.707106781,i=0):(i=Math.sqrt(_),n=y/i,r=b/i),this.set(n,r,i,t),this}let _=Math.sqrt((h-p)*(h-p)+(u-m)*(u-m)+(d-l)*(d-l));return Math.abs(_)<.001&&(_=1),this.x=(h-p)/_,this.y=(u-m)/_,this.z=(d-l)/_,this.w=Math.acos((c+f+g-1)/2),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this.w=t[15],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this.w=Math.min(this.w,e.w),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this.w=Math.max(this.w,e.w),this}clamp(e,t){return this.x=Ro(this.x,e.x,t.x),this.y=Ro(this.y,e.y,t.y),this.z=Ro(this.z,e.z,t.z),this.w=Ro(this.w,e.w,t.w),this}clampScalar(e,t){return this.x=Ro(this.x,e,t),this.y=Ro(this.y,e,t),this.z=Ro(this.z,e,t),this.w=Ro(this.w,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Ro(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z+this.w*e.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this.w+=(e.w-this.w)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this.w=e.w+(t.w-e.w)*n,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z&&e.w===this.w}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this.w=e[t+3],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e[t+3]=this.w,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this.w=e.getW(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},ds=class extends No{constructor(e=1,t=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:Zi,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=e,this.height=t,this.depth=n.depth,this.scissor=new us(0,0,e,t),this.scissorTest=!1,this.viewport=new us(0,0,e,t),this.textures=[];let r=n.count;for(let i=0;i<r;i++)this.textures[i]=new ls({width:e,height:t,depth:n.depth}),this.textures[i].isRenderTargetTexture=!0,this.textures[i].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(e={}){let t={minFilter:Zi,generateMipmaps:!1,flipY:!1,internalFormat:null};e.mapping!==void 0&&(t.mapping=e.mapping),e.wrapS!==void 0&&(t.wrapS=e.wrapS),e.wrapT!==void 0&&(t.wrapT=e.wrapT),e.wrapR!==void 0&&(t.wrapR=e.wrapR),e.magFilter!==void 0&&(t.magFilter=e.magFilter),e.minFilter!==void 0&&(t.minFilter=e.minFilter),e.format!==void 0&&(t.format=e.format),e.type!==void 0&&(t.type=e.type),e.anisotropy!==void 0&&(t.anisotropy=e.anisotropy),e.colorSpace!==void 0&&(t.colorSpace=e.colorSpace),e.flipY!==void 0&&(t.flipY=e.flipY),e.generateMipmaps!==void 0&&(t.generateMipmaps=e.generateMipmaps),e.mipmapsAutoUpdate!==void 0&&(t.mipmapsAutoUpdate=e.mipmapsAutoUpdate),e.internalFormat!==void 0&&(t.internalFormat=e.internalFormat);for(let e=0;e<this.textures.length;e++)this.textures[e].setValues(t)}get texture(){return this.textures[0]}set texture(e){this.textures[0]=e}set depthTexture(e){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),e!==null&&e.renderTarget===null&&(e.renderTarget=this),this._depthTexture=e}get depthTexture(){return this._depthTexture}setSize(e,t,n=1){if(this.width!==e||this.height!==t||this.depth!==n){this.width=e,this.height=t,this.depth=n;for(let r=0,i=this.textures.length;r<i;r++)this.textures[r].image.width=e,this.textures[r].image.height=t,this.textures[r].image.depth=n,this.textures[r].isData3DTexture!==!0&&(this.textures[r].isArrayTexture=this.textures[r].image.depth>1);this.dispose()}this.viewport.set(0,0,e,t),this.scissor.set(0,0,e,t)}clone(){return new this.constructor().copy(this)}copy(e){this.width=e.width,this.height=e.height,this.depth=e.depth,this.scissor.copy(e.scissor),this.scissorTest=e.scissorTest,this.viewport.copy(e.viewport),this.textures.length=0;for(let t=0,n=e.textures.length;t<n;t++){this.textures[t]=e.textures[t].clone(),this.textures[t].isRenderTargetTexture=!0,this.textures[t].renderTarget=this;let n=Object.assign({},e.textures[t].image);this.textures[t].source=new as(n)}if(this.depthBuffer=e.depthBuffer,this.stencilBuffer=e.stencilBuffer,this.resolveColorBuffer=e.resolveColorBuffer,this.resolveDepthBuffer=e.resolveDepthBuffer,this.resolveStencilBuffer=e.resolveStencilBuffer,this.storeMultisampledColorBuffer=e.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=e.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=e.storeMultisampledStencilBuffer,e.depthTexture!==null){if(e.depthTexture.renderTarget===e){let t=e.depthTexture.clone();t.renderTarget=null,this.depthTexture=t}else this.depthTexture=e.depthTexture}else this.depthTexture=null;return this.samples=e.samples,this.multiview=e.multiview,this.useArrayDepthTexture=e.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:`dispose`})}},fs=class extends ds{constructor(e=1,t=1,n={}){super(e,t,n),this.isWebGLRenderTarget=!0}},ps=class extends ls{constructor(e=null,t=1,n=1,r=1){super(null),this.isDataArrayTexture=!0,this.image={data:e,width:t,height:n,depth:r},this.magFilter=Ji,this.minFilter=Ji,this.wrapR=Ki,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}addLayerUpdate(e){this.layerUpdates.add(e)}clearLayerUpdates(){this.layerUpdates.clear()}},ms=class extends ls{constructor(e=null,t=1,n=1,r=1){super(null),this.isData3DTexture=!0,this.image={data:e,width:t,height:n,depth:r},this.magFilter=Ji,this.minFilter=Ji,this.wrapR=Ki,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}},hs=class e{static{this.prototype.isMatrix4=!0}constructor(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],e!==void 0&&this.set(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h)}set(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h){let g=this.elements;return g[0]=e,g[4]=t,g[8]=n,g[12]=r,g[1]=i,g[5]=a,g[9]=o,g[13]=s,g[2]=c,g[6]=l,g[10]=u,g[14]=d,g[3]=f,g[7]=p,g[11]=m,g[15]=h,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new e().fromArray(this.elements)}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],t[9]=n[9],t[10]=n[10],t[11]=n[11],t[12]=n[12],t[13]=n[13],t[14]=n[14],t[15]=n[15],this}copyPosition(e){let t=this.elements,n=e.elements;return t[12]=n[12],t[13]=n[13],t[14]=n[14],this}setFromMatrix3(e){let t=e.elements;return this.set(t[0],t[3],t[6],0,t[1],t[4],t[7],0,t[2],t[5],t[8],0,0,0,0,1),this}extractBasis(e,t,n){return this.determinantAffine()===0?(e.set(1,0,0),t.set(0,1,0),n.set(0,0,1),this):(e.setFromMatrixColumn(this,0),t.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(e,t,n){return this.set(e.x,t.x,n.x,0,e.y,t.y,n.y,0,e.z,t.z,n.z,0,0,0,0,1),this}extractRotation(e){if(e.determinantAffine()===0)return this.identity();let t=this.elements,n=e.elements,r=1/gs.setFromMatrixColumn(e,0).length(),i=1/gs.setFromMatrixColumn(e,1).length(),a=1/gs.setFromMatrixColumn(e,2).length();return t[0]=n[0]*r,t[1]=n[1]*r,t[2]=n[2]*r,t[3]=0,t[4]=n[4]*i,t[5]=n[5]*i,t[6]=n[6]*i,t[7]=0,t[8]=n[8]*a,t[9]=n[9]*a,t[10]=n[10]*a,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromEuler(e){let t=this.elements,n=e.x,r=e.y,i=e.z,a=Math.cos(n),o=Math.sin(n),s=Math.cos(r),c=Math.sin(r),l=Math.cos(i),u=Math.sin(i);if(e.order===`XYZ`){let e=a*l,n=a*u,r=o*l,i=o*u;t[0]=s*l,t[4]=-s*u,t[8]=c,t[1]=n+r*c,t[5]=e-i*c,t[9]=-o*s,t[2]=i-e*c,t[6]=r+n*c,t[10]=a*s}else if(e.order===`YXZ`){let e=s*l,n=s*u,r=c*l,i=c*u;t[0]=e+i*o,t[4]=r*o-n,t[8]=a*c,t[1]=a*u,t[5]=a*l,t[9]=-o,t[2]=n*o-r,t[6]=i+e*o,t[10]=a*s}else if(e.order===`ZXY`){let e=s*l,n=s*u,r=c*l,i=c*u;t[0]=e-i*o,t[4]=-a*u,t[8]=r+n*o,t[1]=n+r*o,t[5]=a*l,t[9]=i-e*o,t[2]=-a*c,t[6]=o,t[10]=a*s}else if(e.order===`ZYX`){let e=a*l,n=a*u,r=o*l,i=o*u;t[0]=s*l,t[4]=r*c-n,t[8]=e*c+i,t[1]=s*u,t[5]=i*c+e,t[9]=n*c-r,t[2]=-c,t[6]=o*s,t[10]=a*s}else if(e.order===`YZX`){let e=a*s,n=a*c,r=o*s,i=o*c;t[0]=s*l,t[4]=i-e*u,t[8]=r*u+n,t[1]=u,t[5]=a*l,t[9]=-o*l,t[2]=-c*l,t[6]=n*u+r,t[10]=e-i*u}else if(e.order===`XZY`){let e=a*s,n=a*c,r=o*s,i=o*c;t[0]=s*l,t[4]=-u,t[8]=c*l,t[1]=e*u+i,t[5]=a*l,t[9]=n*u-r,t[2]=r*u-n,t[6]=o*l,t[10]=i*u+e}return t[3]=0,t[7]=0,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromQuaternion(e){return this.compose(vs,e,ys)}lookAt(e,t,n){let r=this.elements;return Ss.subVectors(e,t),Ss.lengthSq()===0&&(Ss.z=1),Ss.normalize(),bs.crossVectors(n,Ss),bs.lengthSq()===0&&(Math.abs(n.z)===1?Ss.x+=1e-4:Ss.z+=1e-4,Ss.normalize(),bs.crossVectors(n,Ss)),bs.normalize(),xs.crossVectors(Ss,bs),r[0]=bs.x,r[4]=xs.x,r[8]=Ss.x,r[1]=bs.y,r[5]=xs.y,r[9]=Ss.y,r[2]=bs.z,r[6]=xs.z,r[10]=Ss.z,this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,r=t.elements,i=this.elements,a=n[0],o=n[4],s=n[8],c=n[12],l=n[1],u=n[5],d=n[9],f=n[13],p=n[2],m=n[6],h=n[10],g=n[14],_=n[3],v=n[7],y=n[11],b=n[15],x=r[0],S=r[4],C=r[8],w=r[12],T=r[1],E=r[5],D=r[9],O=r[13],k=r[2],A=r[6],j=r[10],M=r[14],N=r[3],P=r[7],F=r[11],I=r[15];return i[0]=a*x+o*T+s*k+c*N,i[4]=a*S+o*E+s*A+c*P,i[8]=a*C+o*D+s*j+c*F,i[12]=a*w+o*O+s*M+c*I,i[1]=l*x+u*T+d*k+f*N,i[5]=l*S+u*E+d*A+f*P,i[9]=l*C+u*D+d*j+f*F,i[13]=l*w+u*O+d*M+f*I,i[2]=p*x+m*T+h*k+g*N,i[6]=p*S+m*E+h*A+g*P,i[10]=p*C+m*D+h*j+g*F,i[14]=p*w+m*O+h*M+g*I,i[3]=_*x+v*T+y*k+b*N,i[7]=_*S+v*E+y*A+b*P,i[11]=_*C+v*D+y*j+b*F,i[15]=_*w+v*O+y*M+b*I,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[4]*=e,t[8]*=e,t[12]*=e,t[1]*=e,t[5]*=e,t[9]*=e,t[13]*=e,t[2]*=e,t[6]*=e,t[10]*=e,t[14]*=e,t[3]*=e,t[7]*=e,t[11]*=e,t[15]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[4],r=e[8],i=e[12],a=e[1],o=e[5],s=e[9],c=e[13],l=e[2],u=e[6],d=e[10],f=e[14],p=e[3],m=e[7],h=e[11],g=e[15],_=s*f-c*d,v=o*f-c*u,y=o*d-s*u,b=a*f-c*l,x=a*d-s*l,S=a*u-o*l;return t*(m*_-h*v+g*y)-n*(p*_-h*b+g*x)+r*(p*v-m*b+g*S)-i*(p*y-m*x+h*S)}determinantAffine(){let e=this.elements,t=e[0],n=e[4],r=e[8],i=e[1],a=e[5],o=e[9],s=e[2],c=e[6],l=e[10];return t*(a*l-o*c)-n*(i*l-o*s)+r*(i*c-a*s)}transpose(){let e=this.elements,t;return t=e[1],e[1]=e[4],e[4]=t,t=e[2],e[2]=e[8],e[8]=t,t=e[6],e[6]=e[9],e[9]=t,t=e[3],e[3]=e[12],e[12]=t,t=e[7],e[7]=e[13],e[13]=t,t=e[11],e[11]=e[14],e[14]=t,this}setPosition(e,t,n){let r=this.elements;return e.isVector3?(r[12]=e.x,r[13]=e.y,r[14]=e.z):(r[12]=e,r[13]=t,r[14]=n),this}invert(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8],u=e[9],d=e[10],f=e[11],p=e[12],m=e[13],h=e[14],g=e[15],_=t*o-n*a,v=t*s-r*a,y=t*c-i*a,b=n*s-r*o,x=n*c-i*o,S=r*c-i*s,C=l*m-u*p,w=l*h-d*p,T=l*g-f*p,E=u*h-d*m,D=u*g-f*m,O=d*g-f*h,k=_*O-v*D+y*E+b*T-x*w+S*C;if(k===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let A=1/k;return e[0]=(o*O-s*D+c*E)*A,e[1]=(r*D-n*O-i*E)*A,e[2]=(m*S-h*x+g*b)*A,e[3]=(d*x-u*S-f*b)*A,e[4]=(s*T-a*O-c*w)*A,e[5]=(t*O-r*T+i*w)*A,e[6]=(h*y-p*S-g*v)*A,e[7]=(l*S-d*y+f*v)*A,e[8]=(a*D-o*T+c*C)*A,e[9]=(n*T-t*D-i*C)*A,e[10]=(p*x-m*y+g*_)*A,e[11]=(u*y-l*x-f*_)*A,e[12]=(o*w-a*E-s*C)*A,e[13]=(t*E-n*w+r*C)*A,e[14]=(m*v-p*b-h*_)*A,e[15]=(l*b-u*v+d*_)*A,this}scale(e){let t=this.elements,n=e.x,r=e.y,i=e.z;return t[0]*=n,t[4]*=r,t[8]*=i,t[1]*=n,t[5]*=r,t[9]*=i,t[2]*=n,t[6]*=r,t[10]*=i,t[3]*=n,t[7]*=r,t[11]*=i,this}getMaxScaleOnAxis(){let e=this.elements,t=e[0]*e[0]+e[1]*e[1]+e[2]*e[2],n=e[4]*e[4]+e[5]*e[5]+e[6]*e[6],r=e[8]*e[8]+e[9]*e[9]+e[10]*e[10];return Math.sqrt(Math.max(t,n,r))}makeTranslation(e,t,n){return e.isVector3?this.set(1,0,0,e.x,0,1,0,e.y,0,0,1,e.z,0,0,0,1):this.set(1,0,0,e,0,1,0,t,0,0,1,n,0,0,0,1),this}makeRotationX(e){let t=Math.cos(e),n=Math.sin(e);return this.set(1,0,0,0,0,t,-n,0,0,n,t,0,0,0,0,1),this}makeRotationY(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,0,n,0,0,1,0,0,-n,0,t,0,0,0,0,1),this}makeRotationZ(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,0,n,t,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(e,t){let n=Math.cos(t),r=Math.sin(t),i=1-n,a=e.x,o=e.y,s=e.z,c=i*a,l=i*o;return this.set(c*a+n,c*o-r*s,c*s+r*o,0,c*o+r*s,l*o+n,l*s-r*a,0,c*s-r*o,l*s+r*a,i*s*s+n,0,0,0,0,1),this}makeScale(e,t,n){return this.set(e,0,0,0,0,t,0,0,0,0,n,0,0,0,0,1),this}makeShear(e,t,n,r,i,a){return this.set(1,n,i,0,e,1,a,0,t,r,1,0,0,0,0,1),this}compose(e,t,n){let r=this.elements,i=t._x,a=t._y,o=t._z,s=t._w,c=i+i,l=a+a,u=o+o,d=i*c,f=i*l,p=i*u,m=a*l,h=a*u,g=o*u,_=s*c,v=s*l,y=s*u,b=n.x,x=n.y,S=n.z;return r[0]=(1-(m+g))*b,r[1]=(f+y)*b,r[2]=(p-v)*b,r[3]=0,r[4]=(f-y)*x,r[5]=(1-(d+g))*x,r[6]=(h+_)*x,r[7]=0,r[8]=(p+v)*S,r[9]=(h-_)*S,r[10]=(1-(d+m))*S,r[11]=0,r[12]=e.x,r[13]=e.y,r[14]=e.z,r[15]=1,this}decompose(e,t,n){let r=this.elements;e.x=r[12],e.y=r[13],e.z=r[14];let i=this.determinantAffine();if(i===0)return n.set(1,1,1),t.identity(),this;let a=gs.set(r[0],r[1],r[2]).length(),o=gs.set(r[4],r[5],r[6]).length(),s=gs.set(r[8],r[9],r[10]).length();i<0&&(a=-a),_s.copy(this);let c=1/a,l=1/o,u=1/s;return _s.elements[0]*=c,_s.elements[1]*=c,_s.elements[2]*=c,_s.elements[4]*=l,_s.elements[5]*=l,_s.elements[6]*=l,_s.elements[8]*=u,_s.elements[9]*=u,_s.elements[10]*=u,t.setFromRotationMatrix(_s),n.x=a,n.y=o,n.z=s,this}makePerspective(e,t,n,r,i,a,o=So,s=!1){let c=this.elements,l=2*i/(t-e),u=2*i/(n-r),d=(t+e)/(t-e),f=(n+r)/(n-r),p,m;if(s)p=i/(a-i),m=a*i/(a-i);else if(o===2e3)p=-(a+i)/(a-i),m=-2*a*i/(a-i);else if(o===2001)p=-a/(a-i),m=-a*i/(a-i);else throw Error(`THREE.Matrix4.makePerspective(): Invalid coordinate system: `+o);return c[0]=l,c[4]=0,c[8]=d,c[12]=0,c[1]=0,c[5]=u,c[9]=f,c[13]=0,c[2]=0,c[6]=0,c[10]=p,c[14]=m,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(e,t,n,r,i,a,o=So,s=!1){let c=this.elements,l=2/(t-e),u=2/(n-r),d=-(t+e)/(t-e),f=-(n+r)/(n-r),p,m;if(s)p=1/(a-i),m=a/(a-i);else if(o===2e3)p=-2/(a-i),m=-(a+i)/(a-i);else if(o===2001)p=-1/(a-i),m=-i/(a-i);else throw Error(`THREE.Matrix4.makeOrthographic(): Invalid coordinate system: `+o);return c[0]=l,c[4]=0,c[8]=0,c[12]=d,c[1]=0,c[5]=u,c[9]=0,c[13]=f,c[2]=0,c[6]=0,c[10]=p,c[14]=m,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(e){let t=this.elements,n=e.elements;for(let e=0;e<16;e++)if(t[e]!==n[e])return!1;return!0}fromArray(e,t=0){for(let n=0;n<16;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e[t+9]=n[9],e[t+10]=n[10],e[t+11]=n[11],e[t+12]=n[12],e[t+13]=n[13],e[t+14]=n[14],e[t+15]=n[15],e}},gs=new X,_s=new hs,vs=new X(0,0,0),ys=new X(1,1,1),bs=new X,xs=new X,Ss=new X,Cs=new hs,ws=new Ko,Ts=class e{constructor(t=0,n=0,r=0,i=e.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=n,this._z=r,this._order=i}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get order(){return this._order}set order(e){this._order=e,this._onChangeCallback()}set(e,t,n,r=this._order){return this._x=e,this._y=t,this._z=n,this._order=r,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(e){return this._x=e._x,this._y=e._y,this._z=e._z,this._order=e._order,this._onChangeCallback(),this}setFromRotationMatrix(e,t=this._order,n=!0){let r=e.elements,i=r[0],a=r[4],o=r[8],s=r[1],c=r[5],l=r[9],u=r[2],d=r[6],f=r[10];switch(t){case`XYZ`:this._y=Math.asin(Ro(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(-l,f),this._z=Math.atan2(-a,i)):(this._x=Math.atan2(d,c),this._z=0);break;case`YXZ`:this._x=Math.asin(-Ro(l,-1,1)),Math.abs(l)<.9999999?(this._y=Math.atan2(o,f),this._z=Math.atan2(s,c)):(this._y=Math.atan2(-u,i),this._z=0);break;case`ZXY`:this._x=Math.asin(Ro(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-u,f),this._z=Math.atan2(-a,c)):(this._y=0,this._z=Math.atan2(s,i));break;case`ZYX`:this._y=Math.asin(-Ro(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(d,f),this._z=Math.atan2(s,i)):(this._x=0,this._z=Math.atan2(-a,c));break;case`YZX`:this._z=Math.asin(Ro(s,-1,1)),Math.abs(s)<.9999999?(this._x=Math.atan2(-l,c),this._y=Math.atan2(-u,i)):(this._x=0,this._y=Math.atan2(o,f));break;case`XZY`:this._z=Math.asin(-Ro(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(d,c),this._y=Math.atan2(o,i)):(this._x=Math.atan2(-l,f),this._y=0);break;default:J(`Euler: .setFromRotationMatrix() encountered an unknown order: `+t)}return this._order=t,n===!0&&this._onChangeCallback(),this}setFromQuaternion(e,t,n){return Cs.makeRotationFromQuaternion(e),this.setFromRotationMatrix(Cs,t,n)}setFromVector3(e,t=this._order){return this.set(e.x,e.y,e.z,t)}reorder(e){return ws.setFromEuler(this),this.setFromQuaternion(ws,e)}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._order===this._order}fromArray(e){return this._x=e[0],this._y=e[1],this._z=e[2],e[3]!==void 0&&(this._order=e[3]),this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._order,e}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};Ts.DEFAULT_ORDER=`XYZ`;var Es=class{constructor(){this.mask=1}set(e){this.mask=1<<e>>>0}enable(e){this.mask|=1<<e}enableAll(){this.mask=-1}toggle(e){this.mask^=1<<e}disable(e){this.mask&=~(1<<e)}disableAll(){this.mask=0}test(e){return(this.mask&e.mask)!==0}isEnabled(e){return!!(this.mask&1<<e)}},Ds=0,Os=new X,ks=new Ko,As=new hs,js=new X,Ms=new X,Ns=new X,Ps=new Ko,Fs=new X(1,0,0),Is=new X(0,1,0),Ls=new X(0,0,1),Rs={type:`added`},zs={type:`removed`},Bs={type:`childadded`,child:null},Vs={type:`childremoved`,child:null},Hs=class e extends No{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:Ds++}),this.uuid=Lo(),this.name=``,this.type=`Object3D`,this.parent=null,this.children=[],this.up=e.DEFAULT_UP.clone();let t=new X,n=new Ts,r=new Ko,i=new X(1,1,1);function a(){r.setFromEuler(n,!1)}function o(){n.setFromQuaternion(r,void 0,!1)}n._onChange(a),r._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:n},quaternion:{configurable:!0,enumerable:!0,value:r},scale:{configurable:!0,enumerable:!0,value:i},modelViewMatrix:{value:new hs},normalMatrix:{value:new Z}}),this.matrix=new hs,this.matrixWorld=new hs,this.matrixAutoUpdate=e.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=e.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new Es,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(e){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(e),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(e){return this.quaternion.premultiply(e),this}setRotationFromAxisAngle(e,t){this.quaternion.setFromAxisAngle(e,t)}setRotationFromEuler(e){this.quaternion.setFromEuler(e,!0)}setRotationFromMatrix(e){this.quaternion.setFromRotationMatrix(e)}setRotationFromQuaternion(e){this.quaternion.copy(e)}rotateOnAxis(e,t){return ks.setFromAxisAngle(e,t),this.quaternion.multiply(ks),this}rotateOnWorldAxis(e,t){return ks.setFromAxisAngle(e,t),this.quaternion.premultiply(ks),this}rotateX(e){return this.rotateOnAxis(Fs,e)}rotateY(e){return this.rotateOnAxis(Is,e)}rotateZ(e){return this.rotateOnAxis(Ls,e)}translateOnAxis(e,t){return Os.copy(e).applyQuaternion(this.quaternion),this.position.add(Os.multiplyScalar(t)),this}translateX(e){return this.translateOnAxis(Fs,e)}translateY(e){return this.translateOnAxis(Is,e)}translateZ(e){return this.translateOnAxis(Ls,e)}localToWorld(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(this.matrixWorld)}worldToLocal(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(As.copy(this.matrixWorld).invert())}lookAt(e,t,n){e.isVector3?js.copy(e):js.set(e,t,n);let r=this.parent;this.updateWorldMatrix(!0,!1),Ms.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?As.lookAt(Ms,js,this.up):As.lookAt(js,Ms,this.up),this.quaternion.setFromRotationMatrix(As),r&&(As.extractRotation(r.matrixWorld),ks.setFromRotationMatrix(As),this.quaternion.premultiply(ks.invert()))}add(e){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return e===this?(Y(`Object3D.add: object can't be added as a child of itself.`,e),this):(e&&e.isObject3D?(e.removeFromParent(),e.parent=this,this.children.push(e),e.dispatchEvent(Rs),Bs.child=e,this.dispatchEvent(Bs),Bs.child=null):Y(`Object3D.add: object not an instance of THREE.Object3D.`,e),this)}remove(e){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.remove(arguments[e]);return this}let t=this.children.indexOf(e);return t!==-1&&(e.parent=null,this.children.splice(t,1),e.dispatchEvent(zs),Vs.child=e,this.dispatchEvent(Vs),Vs.child=null),this}removeFromParent(){let e=this.parent;return e!==null&&e.remove(this),this}clear(){return this.remove(...this.children)}attach(e){return this.updateWorldMatrix(!0,!1),As.copy(this.matrixWorld).invert(),e.parent!==null&&(e.parent.updateWorldMatrix(!0,!1),As.multiply(e.parent.matrixWorld)),e.applyMatrix4(As),e.removeFromParent(),e.parent=this,this.children.push(e),e.updateWorldMatrix(!1,!0),e.dispatchEvent(Rs),Bs.child=e,this.dispatchEvent(Bs),Bs.child=null,this}getObjectById(e){return this.getObjectByProperty(`id`,e)}getObjectByName(e){return this.getObjectByProperty(`name`,e)}getObjectByProperty(e,t){if(this[e]===t)return this;for(let n=0,r=this.children.length;n<r;n++){let r=this.children[n].getObjectByProperty(e,t);if(r!==void 0)return r}}getObjectsByProperty(e,t,n=[]){this[e]===t&&n.push(this);let r=this.children;for(let i=0,a=r.length;i<a;i++)r[i].getObjectsByProperty(e,t,n);return n}getWorldPosition(e){return this.updateWorldMatrix(!0,!1),e.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Ms,e,Ns),e}getWorldScale(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Ms,Ps,e),e}getWorldDirection(e){this.updateWorldMatrix(!0,!1);let t=this.matrixWorld.elements;return e.set(t[8],t[9],t[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(e){e(this);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].traverse(e)}traverseVisible(e){if(this.visible===!1)return;e(this);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].traverseVisible(e)}traverseAncestors(e){let t=this.parent;t!==null&&(e(t),t.traverseAncestors(e))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let e=this.pivot;if(e!==null){let t=e.x,n=e.y,r=e.z,i=this.matrix.elements;i[12]+=t-i[0]*t-i[4]*n-i[8]*r,i[13]+=n-i[1]*t-i[5]*n-i[9]*r,i[14]+=r-i[2]*t-i[6]*n-i[10]*r}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(e){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||e)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,e=!0);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].updateMatrixWorld(e)}updateWorldMatrix(e,t,n=!1){let r=this.parent;if(e===!0&&r!==null&&r.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),t===!0){let e=this.children;for(let t=0,r=e.length;t<r;t++)e[t].updateWorldMatrix(!1,!0,n)}}toJSON(e){let t=e===void 0||typeof e==`string`,n={};t&&(e={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:`Object`,generator:`Object3D.toJSON`});let r={};r.uuid=this.uuid,r.type=this.type,r.name=this.name,r.castShadow=this.castShadow,r.receiveShadow=this.receiveShadow,r.visible=this.visible,r.frustumCulled=this.frustumCulled,r.renderOrder=this.renderOrder,r.static=this.static,r.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(r.userData=this.userData),r.layers=this.layers.mask,r.matrix=this.matrix.toArray(),r.up=this.up.toArray(),this.pivot!==null&&(r.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(r.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(r.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(r.type=`InstancedMesh`,r.count=this.count,r.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(r.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(r.type=`BatchedMesh`,r.perObjectFrustumCulled=this.perObjectFrustumCulled,r.sortObjects=this.sortObjects,r.drawRanges=this._drawRanges,r.reservedRanges=this._reservedRanges,r.geometryInfo=this._geometryInfo.map(e=>({...e,boundingBox:e.boundingBox?e.boundingBox.toJSON():void 0,boundingSphere:e.boundingSphere?e.boundingSphere.toJSON():void 0})),r.instanceInfo=this._instanceInfo.map(e=>({...e})),r.availableInstanceIds=this._availableInstanceIds.slice(),r.availableGeometryIds=this._availableGeometryIds.slice(),r.nextIndexStart=this._nextIndexStart,r.nextVertexStart=this._nextVertexStart,r.geometryCount=this._geometryCount,r.maxInstanceCount=this._maxInstanceCount,r.maxVertexCount=this._maxVertexCount,r.maxIndexCount=this._maxIndexCount,r.geometryInitialized=this._geometryInitialized,r.matricesTexture=this._matricesTexture.toJSON(e),r.indirectTexture=this._indirectTexture.toJSON(e),this._colorsTexture!==null&&(r.colorsTexture=this._colorsTexture.toJSON(e)),this.boundingSphere!==null&&(r.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(r.boundingBox=this.boundingBox.toJSON()));function i(t,n){return t[n.uuid]===void 0&&(t[n.uuid]=n.toJSON(e)),n.uuid}if(this.isScene)this.background&&(this.background.isColor?r.background=this.background.toJSON():this.background.isTexture&&(r.background=this.background.toJSON(e).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(r.environment=this.environment.toJSON(e).uuid);else if(this.isMesh||this.isLine||this.isPoints){r.geometry=i(e.geometries,this.geometry);let t=this.geometry.parameters;if(t!==void 0&&t.shapes!==void 0){let n=t.shapes;if(Array.isArray(n))for(let t=0,r=n.length;t<r;t++){let r=n[t];i(e.shapes,r)}else i(e.shapes,n)}}if(this.isSkinnedMesh&&(r.bindMode=this.bindMode,r.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(i(e.skeletons,this.skeleton),r.skeleton=this.skeleton.uuid)),this.material!==void 0){if(Array.isArray(this.material)){let t=[];for(let n=0,r=this.material.length;n<r;n++)t.push(i(e.materials,this.material[n]));r.material=t}else r.material=i(e.materials,this.material)}if(this.children.length>0){r.children=[];for(let t=0;t<this.children.length;t++)r.children.push(this.children[t].toJSON(e).object)}if(this.animations.length>0){r.animations=[];for(let t=0;t<this.animations.length;t++){let n=this.animations[t];r.animations.push(i(e.animations,n))}}if(t){let t=a(e.geometries),r=a(e.materials),i=a(e.textures),o=a(e.images),s=a(e.shapes),c=a(e.skeletons),l=a(e.animations),u=a(e.nodes);t.length>0&&(n.geometries=t),r.length>0&&(n.materials=r),i.length>0&&(n.textures=i),o.length>0&&(n.images=o),s.length>0&&(n.shapes=s),c.length>0&&(n.skeletons=c),l.length>0&&(n.animations=l),u.length>0&&(n.nodes=u)}return n.object=r,n;function a(e){let t=[];for(let n in e){let r=e[n];delete r.metadata,t.push(r)}return t}}clone(e){return new this.constructor().copy(this,e)}copy(e,t=!0){if(this.name=e.name,this.up.copy(e.up),this.position.copy(e.position),this.rotation.order=e.rotation.order,this.quaternion.copy(e.quaternion),this.scale.copy(e.scale),this.pivot=e.pivot===null?null:e.pivot.clone(),this.matrix.copy(e.matrix),this.matrixWorld.copy(e.matrixWorld),this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrixWorldAutoUpdate=e.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=e.matrixWorldNeedsUpdate,this.layers.mask=e.layers.mask,this.visible=e.visible,this.castShadow=e.castShadow,this.receiveShadow=e.receiveShadow,this.frustumCulled=e.frustumCulled,this.renderOrder=e.renderOrder,this.static=e.static,this.animations=e.animations.slice(),this.userData=JSON.parse(JSON.stringify(e.userData)),t===!0)for(let t=0;t<e.children.length;t++){let n=e.children[t];this.add(n.clone())}return this}dispose(){this.dispatchEvent({type:`dispose`})}};Hs.DEFAULT_UP=new X(0,1,0),Hs.DEFAULT_MATRIX_AUTO_UPDATE=!0,Hs.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var Us=class extends Hs{constructor(){super(),this.isGroup=!0,this.type=`Group`}},Ws={type:`move`},Gs=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new Us,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new Us,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new X,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new X),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new Us,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new X,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new X,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(e){return this._targetRay!==null&&this._targetRay.dispatchEvent(e),this._grip!==null&&this._grip.dispatchEvent(e),this._hand!==null&&this._hand.dispatchEvent(e),this}connect(e){if(e&&e.hand){let t=this._hand;if(t)for(let n of e.hand.values())this._getHandJoint(t,n)}return this.dispatchEvent({type:`connected`,data:e}),this}disconnect(e){return this.dispatchEvent({type:`disconnected`,data:e}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(e,t,n){let r=null,i=null,a=null,o=this._targetRay,s=this._grip,c=this._hand;if(e&&t.session.visibilityState!==`visible-blurred`){if(c&&e.hand){a=!0;for(let r of e.hand.values()){let e=t.getJointPose(r,n),i=this._getHandJoint(c,r);e!==null&&(i.matrix.fromArray(e.transform.matrix),i.matrix.decompose(i.position,i.quaternion,i.scale),i.matrixWorldNeedsUpdate=!0,i.jointRadius=e.radius),i.visible=e!==null}let r=c.joints[`index-finger-tip`],i=c.joints[`thumb-tip`],o=r.position.distanceTo(i.position);c.inputState.pinching&&o>.025?(c.inputState.pinching=!1,this.dispatchEvent({type:`pinchend`,handedness:e.handedness,target:this})):!c.inputState.pinching&&o<=.015&&(c.inputState.pinching=!0,this.dispatchEvent({type:`pinchstart`,handedness:e.handedness,target:this}))}else s!==null&&e.gripSpace&&(i=t.getPose(e.gripSpace,n),i!==null&&(s.matrix.fromArray(i.transform.matrix),s.matrix.decompose(s.position,s.quaternion,s.scale),s.matrixWorldNeedsUpdate=!0,i.linearVelocity?(s.hasLinearVelocity=!0,s.linearVelocity.copy(i.linearVelocity)):s.hasLinearVelocity=!1,i.angularVelocity?(s.hasAngularVelocity=!0,s.angularVelocity.copy(i.angularVelocity)):s.hasAngularVelocity=!1,s.eventsEnabled&&s.dispatchEvent({type:`gripUpdated`,data:e,target:this})));o!==null&&(r=t.getPose(e.targetRaySpace,n),r===null&&i!==null&&(r=i),r!==null&&(o.matrix.fromArray(r.transform.matrix),o.matrix.decompose(o.position,o.quaternion,o.scale),o.matrixWorldNeedsUpdate=!0,r.linearVelocity?(o.hasLinearVelocity=!0,o.linearVelocity.copy(r.linearVelocity)):o.hasLinearVelocity=!1,r.angularVelocity?(o.hasAngularVelocity=!0,o.angularVelocity.copy(r.angularVelocity)):o.hasAngularVelocity=!1,this.dispatchEvent(Ws)))}return o!==null&&(o.visible=r!==null),s!==null&&(s.visible=i!==null),c!==null&&(c.visible=a!==null),this}_getHandJoint(e,t){if(e.joints[t.jointName]===void 0){let n=new Us;n.matrixAutoUpdate=!1,n.visible=!1,e.joints[t.jointName]=n,e.add(n)}return e.joints[t.jointName]}},Ks={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},qs={h:0,s:0,l:0},Js={h:0,s:0,l:0};function Ys(e,t,n){return n<0&&(n+=1),n>1&&--n,n<1/6?e+(t-e)*6*n:n<1/2?t:n<2/3?e+(t-e)*6*(2/3-n):e}var Xs=class{constructor(e,t,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(e,t,n)}set(e,t,n){if(t===void 0&&n===void 0){let t=e;t&&t.isColor?this.copy(t):typeof t==`number`?this.setHex(t):typeof t==`string`&&this.setStyle(t)}else this.setRGB(e,t,n);return this}setScalar(e){return this.r=e,this.g=e,this.b=e,this}setHex(e,t=mo){return e=Math.floor(e),this.r=(e>>16&255)/255,this.g=(e>>8&255)/255,this.b=(e&255)/255,$o.colorSpaceToWorking(this,t),this}setRGB(e,t,n,r=$o.workingColorSpace){return this.r=e,this.g=t,this.b=n,$o.colorSpaceToWorking(this,r),this}setHSL(e,t,n,r=$o.workingColorSpace){if(e=zo(e,1),t=Ro(t,0,1),n=Ro(n,0,1),t===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+t):n+t-n*t,i=2*n-r;this.r=Ys(i,r,e+1/3),this.g=Ys(i,r,e),this.b=Ys(i,r,e-1/3)}return $o.colorSpaceToWorking(this,r),this}setStyle(e,t=mo){function n(t){t!==void 0&&parseFloat(t)<1&&J(`Color: Alpha component of `+e+` will be ignored.`)}let r;if(r=/^(\w+)\(([^\)]*)\)/.exec(e)){let i,a=r[1],o=r[2];switch(a){case`rgb`:case`rgba`:if(i=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setRGB(Math.min(255,parseInt(i[1],10))/255,Math.min(255,parseInt(i[2],10))/255,Math.min(255,parseInt(i[3],10))/255,t);if(i=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setRGB(Math.min(100,parseFloat(i[1]))/100,Math.min(100,parseFloat(i[2]))/100,Math.min(100,parseFloat(i[3]))/100,t);break;case`hsl`:case`hsla`:if(i=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setHSL(parseFloat(i[1])/360,parseFloat(i[2])/100,parseFloat(i[3])/100,t);break;default:J(`Color: Unknown color model `+e)}}else if(r=/^\#([A-Fa-f\d]+)$/.exec(e)){let n=r[1],i=n.length;if(i===3)return this.setRGB(parseInt(n.charAt(0),16)/15,parseInt(n.charAt(1),16)/15,parseInt(n.charAt(2),16)/15,t);if(i===6)return this.setHex(parseInt(n,16),t);J(`Color: Invalid hex color `+e)}else if(e&&e.length>0)return this.setColorName(e,t);return this}setColorName(e,t=mo){let n=Ks[e.toLowerCase()];return n===void 0?J(`Color: Unknown color `+e):this.setHex(n,t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(e){return this.r=e.r,this.g=e.g,this.b=e.b,this}copySRGBToLinear(e){return this.r=es(e.r),this.g=es(e.g),this.b=es(e.b),this}copyLinearToSRGB(e){return this.r=ts(e.r),this.g=ts(e.g),this.b=ts(e.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(e=mo){return $o.workingToColorSpace(Zs.copy(this),e),Math.round(Ro(Zs.r*255,0,255))*65536+Math.round(Ro(Zs.g*255,0,255))*256+Math.round(Ro(Zs.b*255,0,255))}getHexString(e=mo){return(`000000`+this.getHex(e).toString(16)).slice(-6)}getHSL(e,t=$o.workingColorSpace){$o.workingToColorSpace(Zs.copy(this),t);let n=Zs.r,r=Zs.g,i=Zs.b,a=Math.max(n,r,i),o=Math.min(n,r,i),s,c,l=(o+a)/2;if(o===a)s=0,c=0;else{let e=a-o;switch(c=l<=.5?e/(a+o):e/(2-a-o),a){case n:s=(r-i)/e+(r<i?6:0);break;case r:s=(i-n)/e+2;break;case i:s=(n-r)/e+4}s/=6}return e.h=s,e.s=c,e.l=l,e}getRGB(e,t=$o.workingColorSpace){return $o.workingToColorSpace(Zs.copy(this),t),e.r=Zs.r,e.g=Zs.g,e.b=Zs.b,e}getStyle(e=mo){$o.workingToColorSpace(Zs.copy(this),e);let t=Zs.r,n=Zs.g,r=Zs.b;return e===`srgb`?`rgb(${Math.round(t*255)},${Math.round(n*255)},${Math.round(r*255)})`:`color(${e} ${t.toFixed(3)} ${n.toFixed(3)} ${r.toFixed(3)})`}offsetHSL(e,t,n){return this.getHSL(qs),this.setHSL(qs.h+e,qs.s+t,qs.l+n)}add(e){return this.r+=e.r,this.g+=e.g,this.b+=e.b,this}addColors(e,t){return this.r=e.r+t.r,this.g=e.g+t.g,this.b=e.b+t.b,this}addScalar(e){return this.r+=e,this.g+=e,this.b+=e,this}sub(e){return this.r=Math.max(0,this.r-e.r),this.g=Math.max(0,this.g-e.g),this.b=Math.max(0,this.b-e.b),this}multiply(e){return this.r*=e.r,this.g*=e.g,this.b*=e.b,this}multiplyScalar(e){return this.r*=e,this.g*=e,this.b*=e,this}lerp(e,t){return this.r+=(e.r-this.r)*t,this.g+=(e.g-this.g)*t,this.b+=(e.b-this.b)*t,this}lerpColors(e,t,n){return this.r=e.r+(t.r-e.r)*n,this.g=e.g+(t.g-e.g)*n,this.b=e.b+(t.b-e.b)*n,this}lerpHSL(e,t){this.getHSL(qs),e.getHSL(Js);let n=Bo(qs.h,Js.h,t),r=Bo(qs.s,Js.s,t),i=Bo(qs.l,Js.l,t);return this.setHSL(n,r,i),this}setFromVector3(e){return this.r=e.x,this.g=e.y,this.b=e.z,this}applyMatrix3(e){let t=this.r,n=this.g,r=this.b,i=e.elements;return this.r=i[0]*t+i[3]*n+i[6]*r,this.g=i[1]*t+i[4]*n+i[7]*r,this.b=i[2]*t+i[5]*n+i[8]*r,this}equals(e){return e.r===this.r&&e.g===this.g&&e.b===this.b}fromArray(e,t=0){return this.r=e[t],this.g=e[t+1],this.b=e[t+2],this}toArray(e=[],t=0){return e[t]=this.r,e[t+1]=this.g,e[t+2]=this.b,e}fromBufferAttribute(e,t){return this.r=e.getX(t),this.g=e.getY(t),this.b=e.getZ(t),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Zs=new Xs;Xs.NAMES=Ks;var Qs=class extends Hs{constructor(){super(),this.isScene=!0,this.type=`Scene`,this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new Ts,this.environmentIntensity=1,this.environmentRotation=new Ts,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`observe`,{detail:this}))}copy(e,t){return super.copy(e,t),this.background=e.background===null?null:e.background.clone(),this.environment=e.environment===null?null:e.environment.clone(),this.fog=e.fog===null?null:e.fog.clone(),this.backgroundBlurriness=e.backgroundBlurriness,this.backgroundIntensity=e.backgroundIntensity,this.backgroundRotation.copy(e.backgroundRotation),this.environmentIntensity=e.environmentIntensity,this.environmentRotation.copy(e.environmentRotation),this.overrideMaterial=e.overrideMaterial===null?null:e.overrideMaterial.clone(),this.matrixAutoUpdate=e.matrixAutoUpdate,this}toJSON(e){let t=super.toJSON(e);return this.fog!==null&&(t.object.fog=this.fog.toJSON()),t.object.backgroundBlurriness=this.backgroundBlurriness,t.object.backgroundIntensity=this.backgroundIntensity,t.object.backgroundRotation=this.backgroundRotation.toArray(),t.object.environmentIntensity=this.environmentIntensity,t.object.environmentRotation=this.environmentRotation.toArray(),t}},$s=new X,ec=new X,tc=new X,nc=new X,rc=new X,ic=new X,ac=new X,oc=new X,sc=new X,cc=new X,lc=new us,uc=new us,dc=new us,fc=class e{constructor(e=new X,t=new X,n=new X){this.a=e,this.b=t,this.c=n}static getNormal(e,t,n,r){r.subVectors(n,t),$s.subVectors(e,t),r.cross($s);let i=r.lengthSq();return i>0?r.multiplyScalar(1/Math.sqrt(i)):r.set(0,0,0)}static getBarycoord(e,t,n,r,i){$s.subVectors(r,t),ec.subVectors(n,t),tc.subVectors(e,t);let a=$s.dot($s),o=$s.dot(ec),s=$s.dot(tc),c=ec.dot(ec),l=ec.dot(tc),u=a*c-o*o;if(u===0)return i.set(0,0,0),null;let d=1/u,f=(c*s-o*l)*d,p=(a*l-o*s)*d;return i.set(1-f-p,p,f)}static containsPoint(e,t,n,r){return this.getBarycoord(e,t,n,r,nc)!==null&&nc.x>=0&&nc.y>=0&&nc.x+nc.y<=1}static getInterpolation(e,t,n,r,i,a,o,s){return this.getBarycoord(e,t,n,r,nc)===null?(s.x=0,s.y=0,`z`in s&&(s.z=0),`w`in s&&(s.w=0),null):(s.setScalar(0),s.addScaledVector(i,nc.x),s.addScaledVector(a,nc.y),s.addScaledVector(o,nc.z),s)}static getInterpolatedAttribute(e,t,n,r,i,a){return lc.setScalar(0),uc.setScalar(0),dc.setScalar(0),lc.fromBufferAttribute(e,t),uc.fromBufferAttribute(e,n),dc.fromBufferAttribute(e,r),a.setScalar(0),a.addScaledVector(lc,i.x),a.addScaledVector(uc,i.y),a.addScaledVector(dc,i.z),a}static isFrontFacing(e,t,n,r){return $s.subVectors(n,t),ec.subVectors(e,t),$s.cross(ec).dot(r)<0}set(e,t,n){return this.a.copy(e),this.b.copy(t),this.c.copy(n),this}setFromPointsAndIndices(e,t,n,r){return this.a.copy(e[t]),this.b.copy(e[n]),this.c.copy(e[r]),this}setFromAttributeAndIndices(e,t,n,r){return this.a.fromBufferAttribute(e,t),this.b.fromBufferAttribute(e,n),this.c.fromBufferAttribute(e,r),this}clone(){return new this.constructor().copy(this)}copy(e){return this.a.copy(e.a),this.b.copy(e.b),this.c.copy(e.c),this}getArea(){return $s.subVectors(this.c,this.b),ec.subVectors(this.a,this.b),$s.cross(ec).length()*.5}getMidpoint(e){return e.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return e.getNormal(this.a,this.b,this.c,t)}getPlane(e){return e.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,n){return e.getBarycoord(t,this.a,this.b,this.c,n)}getInterpolation(t,n,r,i,a){return e.getInterpolation(t,this.a,this.b,this.c,n,r,i,a)}containsPoint(t){return e.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return e.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(e){return e.intersectsTriangle(this)}closestPointToPoint(e,t){let n=this.a,r=this.b,i=this.c,a,o;rc.subVectors(r,n),ic.subVectors(i,n),oc.subVectors(e,n);let s=rc.dot(oc),c=ic.dot(oc);if(s<=0&&c<=0)return t.copy(n);sc.subVectors(e,r);let l=rc.dot(sc),u=ic.dot(sc);if(l>=0&&u<=l)return t.copy(r);let d=s*u-l*c;if(d<=0&&s>=0&&l<=0&&s-l>0)return a=s/(s-l),t.copy(n).addScaledVector(rc,a);cc.subVectors(e,i);let f=rc.dot(cc),p=ic.dot(cc);if(p>=0&&f<=p)return t.copy(i);let m=f*c-s*p;if(m<=0&&c>=0&&p<=0)return o=c/(c-p),t.copy(n).addScaledVector(ic,o);let h=l*p-f*u;if(h<=0&&u-l>=0&&f-p>=0)return ac.subVectors(i,r),o=(u-l)/(u-l+(f-p)),t.copy(r).addScaledVector(ac,o);let g=1/(h+m+d);return a=m*g,o=d*g,t.copy(n).addScaledVector(rc,a).addScaledVector(ic,o)}equals(e){return e.a.equals(this.a)&&e.b.equals(this.b)&&e.c.equals(this.c)}},pc=class{constructor(e=new X(1/0,1/0,1/0),t=new X(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=e,this.max=t}set(e,t){return this.min.copy(e),this.max.copy(t),this}setFromArray(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t+=3)this.expandByPoint(hc.fromArray(e,t));return this}setFromBufferAttribute(e){this.makeEmpty();for(let t=0,n=e.count;t<n;t++)this.expandByPoint(hc.fromBufferAttribute(e,t));return this}setFromPoints(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t++)this.expandByPoint(e[t]);return this}setFromCenterAndSize(e,t){let n=hc.copy(t).multiplyScalar(.5);return this.min.copy(e).sub(n),this.max.copy(e).add(n),this}setFromObject(e,t=!1){return this.makeEmpty(),this.expandByObject(e,t)}clone(){return new this.constructor().copy(this)}copy(e){return this.min.copy(e.min),this.max.copy(e.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(e){return this.isEmpty()?e.set(0,0,0):e.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(e){return this.isEmpty()?e.set(0,0,0):e.subVectors(this.max,this.min)}expandByPoint(e){return this.min.min(e),this.max.max(e),this}expandByVector(e){return this.min.sub(e),this.max.add(e),this}expandByScalar(e){return this.min.addScalar(-e),this.max.addScalar(e),this}expandByObject(e,t=!1){e.updateWorldMatrix(!1,!1);let n=e.geometry;if(n!==void 0){let r=n.getAttribute(`position`);if(t===!0&&r!==void 0&&e.isInstancedMesh!==!0&&e.isBatchedMesh!==!0)for(let t=0,n=r.count;t<n;t++)e.isMesh===!0?e.getVertexPosition(t,hc):hc.fromBufferAttribute(r,t),hc.applyMatrix4(e.matrixWorld),this.expandByPoint(hc);else e.boundingBox===void 0?(n.boundingBox===null&&n.computeBoundingBox(),gc.copy(n.boundingBox)):(e.boundingBox===null&&e.computeBoundingBox(),gc.copy(e.boundingBox)),gc.applyMatrix4(e.matrixWorld),this.union(gc)}let r=e.children;for(let e=0,n=r.length;e<n;e++)this.expandByObject(r[e],t);return this}containsPoint(e){return e.x>=this.min.x&&e.x<=this.max.x&&e.y>=this.min.y&&e.y<=this.max.y&&e.z>=this.min.z&&e.z<=this.max.z}containsBox(e){return this.min.x<=e.min.x&&e.max.x<=this.max.x&&this.min.y<=e.min.y&&e.max.y<=this.max.y&&this.min.z<=e.min.z&&e.max.z<=this.max.z}getParameter(e,t){return t.set((e.x-this.min.x)/(this.max.x-this.min.x),(e.y-this.min.y)/(this.max.y-this.min.y),(e.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(e){return e.max.x>=this.min.x&&e.min.x<=this.max.x&&e.max.y>=this.min.y&&e.min.y<=this.max.y&&e.max.z>=this.min.z&&e.min.z<=this.max.z}intersectsSphere(e){return this.clampPoint(e.center,hc),hc.distanceToSquared(e.center)<=e.radius*e.radius}intersectsPlane(e){let t,n;return e.normal.x>0?(t=e.normal.x*this.min.x,n=e.normal.x*this.max.x):(t=e.normal.x*this.max.x,n=e.normal.x*this.min.x),e.normal.y>0?(t+=e.normal.y*this.min.y,n+=e.normal.y*this.max.y):(t+=e.normal.y*this.max.y,n+=e.normal.y*this.min.y),e.normal.z>0?(t+=e.normal.z*this.min.z,n+=e.normal.z*this.max.z):(t+=e.normal.z*this.max.z,n+=e.normal.z*this.min.z),t<=-e.constant&&n>=-e.constant}intersectsTriangle(e){if(this.isEmpty())return!1;this.getCenter(Cc),wc.subVectors(this.max,Cc),_c.subVectors(e.a,Cc),vc.subVectors(e.b,Cc),yc.subVectors(e.c,Cc),bc.subVectors(vc,_c),xc.subVectors(yc,vc),Sc.subVectors(_c,yc);let t=[0,-bc.z,bc.y,0,-xc.z,xc.y,0,-Sc.z,Sc.y,bc.z,0,-bc.x,xc.z,0,-xc.x,Sc.z,0,-Sc.x,-bc.y,bc.x,0,-xc.y,xc.x,0,-Sc.y,Sc.x,0];return!Dc(t,_c,vc,yc,wc)||(t=[1,0,0,0,1,0,0,0,1],!Dc(t,_c,vc,yc,wc))?!1:(Tc.crossVectors(bc,xc),t=[Tc.x,Tc.y,Tc.z],Dc(t,_c,vc,yc,wc))}clampPoint(e,t){return t.copy(e).clamp(this.min,this.max)}distanceToPoint(e){return this.clampPoint(e,hc).distanceTo(e)}getBoundingSphere(e){return this.isEmpty()?e.makeEmpty():(this.getCenter(e.center),e.radius=this.getSize(hc).length()*.5),e}intersect(e){return this.min.max(e.min),this.max.min(e.max),this.isEmpty()&&this.makeEmpty(),this}union(e){return this.min.min(e.min),this.max.max(e.max),this}applyMatrix4(e){return this.isEmpty()||(mc[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(e),mc[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(e),mc[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(e),mc[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(e),mc[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(e),mc[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(e),mc[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(e),mc[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(e),this.setFromPoints(mc)),this}translate(e){return this.min.add(e),this.max.add(e),this}equals(e){return e.min.equals(this.min)&&e.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(e){return this.min.fromArray(e.min),this.max.fromArray(e.max),this}},mc=[new X,new X,new X,new X,new X,new X,new X,new X],hc=new X,gc=new pc,_c=new X,vc=new X,yc=new X,bc=new X,xc=new X,Sc=new X,Cc=new X,wc=new X,Tc=new X,Ec=new X;function Dc(e,t,n,r,i){for(let a=0,o=e.length-3;a<=o;a+=3){Ec.fromArray(e,a);let o=i.x*Math.abs(Ec.x)+i.y*Math.abs(Ec.y)+i.z*Math.abs(Ec.z),s=t.dot(Ec),c=n.dot(Ec),l=r.dot(Ec);if(Math.max(-Math.max(s,c,l),Math.min(s,c,l))>o)return!1}return!0}var Oc=new X,kc=new Go,Ac=0,jc=class extends No{constructor(e,t,n=!1){if(super(),Array.isArray(e))throw TypeError(`THREE.BufferAttribute: array should be a Typed Array.`);this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:Ac++}),this.name=``,this.array=e,this.itemSize=t,this.count=e===void 0?0:e.length/t,this.normalized=n,this.usage=yo,this.updateRanges=[],this.gpuType=oa,this.version=0,this._normalizationScale=e===void 0?void 0:Ho(e)}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.name=e.name,this.array=new e.array.constructor(e.array),this.itemSize=e.itemSize,this.count=e.count,this.normalized=e.normalized,this.usage=e.usage,this.gpuType=e.gpuType,this._normalizationScale=e._normalizationScale,this}copyAt(e,t,n){e*=this.itemSize,n*=t.itemSize;for(let r=0,i=this.itemSize;r<i;r++)this.array[e+r]=t.array[n+r];return this}copyArray(e){return this.array.set(e),this}applyMatrix3(e){if(this.itemSize===2)for(let t=0,n=this.count;t<n;t++)kc.fromBufferAttribute(this,t),kc.applyMatrix3(e),this.setXY(t,kc.x,kc.y);else if(this.itemSize===3)for(let t=0,n=this.count;t<n;t++)Oc.fromBufferAttribute(this,t),Oc.applyMatrix3(e),this.setXYZ(t,Oc.x,Oc.y,Oc.z);return this}applyMatrix4(e){for(let t=0,n=this.count;t<n;t++)Oc.fromBufferAttribute(this,t),Oc.applyMatrix4(e),this.setXYZ(t,Oc.x,Oc.y,Oc.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)Oc.fromBufferAttribute(this,t),Oc.applyNormalMatrix(e),this.setXYZ(t,Oc.x,Oc.y,Oc.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)Oc.fromBufferAttribute(this,t),Oc.transformDirection(e),this.setXYZ(t,Oc.x,Oc.y,Oc.z);return this}set(e,t=0){return this.array.set(e,t),this}getComponent(e,t){let n=this.array[e*this.itemSize+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.array[e*this.itemSize+t]=n,this}getX(e){let t=this.array[e*this.itemSize];return this.normalized&&(t=this._denormalize(t)),t}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize]=t,this}getY(e){let t=this.array[e*this.itemSize+1];return this.normalized&&(t=this._denormalize(t)),t}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+1]=t,this}getZ(e){let t=this.array[e*this.itemSize+2];return this.normalized&&(t=this._denormalize(t)),t}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+2]=t,this}getW(e){let t=this.array[e*this.itemSize+3];return this.normalized&&(t=this._denormalize(t)),t}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+3]=t,this}setXY(e,t,n){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.array[e+0]=t,this.array[e+1]=n,this}setXYZ(e,t,n,r){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),r=this._normalize(r)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=r,this}setXYZW(e,t,n,r,i){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),r=this._normalize(r),i=this._normalize(i)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=r,this.array[e+3]=i,this}onUpload(e){return this.onUploadCallback=e,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let e={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return e.name=this.name,e.usage=this.usage,e.gpuType=this.gpuType,e}dispose(){this.dispatchEvent({type:`dispose`})}_denormalize(e){let t=this._normalizationScale;return t===void 0?Uo(e,this.array):Math.max(e/t,-1)}_normalize(e){let t=this._normalizationScale;return t===void 0?Wo(e,this.array):Math.round(e*t)}},Mc=class extends jc{constructor(e,t,n){super(new Uint16Array(e),t,n)}},Nc=class extends jc{constructor(e,t,n){super(new Uint32Array(e),t,n)}},Pc=class extends jc{constructor(e,t,n){super(new Float32Array(e),t,n)}},Fc=new pc,Ic=new X,Lc=new X,Rc=class{constructor(e=new X,t=-1){this.isSphere=!0,this.center=e,this.radius=t}set(e,t){return this.center.copy(e),this.radius=t,this}setFromPoints(e,t){let n=this.center;t===void 0?Fc.setFromPoints(e).getCenter(n):n.copy(t);let r=0;for(let t=0,i=e.length;t<i;t++)r=Math.max(r,n.distanceToSquared(e[t]));return this.radius=Math.sqrt(r),this}copy(e){return this.center.copy(e.center),this.radius=e.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(e){return e.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(e){return e.distanceTo(this.center)-this.radius}intersectsSphere(e){let t=this.radius+e.radius;return e.center.distanceToSquared(this.center)<=t*t}intersectsBox(e){return e.intersectsSphere(this)}intersectsPlane(e){return Math.abs(e.distanceToPoint(this.center))<=this.radius}clampPoint(e,t){let n=this.center.distanceToSquared(e);return t.copy(e),n>this.radius*this.radius&&(t.sub(this.center).normalize(),t.multiplyScalar(this.radius).add(this.center)),t}getBoundingBox(e){return this.isEmpty()?(e.makeEmpty(),e):(e.set(this.center,this.center),e.expandByScalar(this.radius),e)}applyMatrix4(e){return this.center.applyMatrix4(e),this.radius*=e.getMaxScaleOnAxis(),this}translate(e){return this.center.add(e),this}expandByPoint(e){if(this.isEmpty())return this.center.copy(e),this.radius=0,this;Ic.subVectors(e,this.center);let t=Ic.lengthSq();if(t>this.radius*this.radius){let e=Math.sqrt(t),n=(e-this.radius)*.5;this.center.addScaledVector(Ic,n/e),this.radius+=n}return this}union(e){return e.isEmpty()?this:this.isEmpty()?(this.copy(e),this):(this.center.equals(e.center)===!0?this.radius=Math.max(this.radius,e.radius):(Lc.subVectors(e.center,this.center).setLength(e.radius),this.expandByPoint(Ic.copy(e.center).add(Lc)),this.expandByPoint(Ic.copy(e.center).sub(Lc))),this)}equals(e){return e.center.equals(this.center)&&e.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(e){return this.radius=e.radius,this.center.fromArray(e.center),this}},zc=0,Bc=new hs,Vc=new Hs,Hc=new X,Uc=new pc,Wc=new pc,Gc=new X,Kc=class e extends No{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:zc++}),this.uuid=Lo(),this.name=``,this.type=`BufferGeometry`,this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(e){return this.index=Array.isArray(e)?new(Co(e)?Nc:Mc)(e,1):e,this}setIndirect(e,t=0){return this.indirect=e,this.indirectOffset=t,this}getIndirect(){return this.indirect}getAttribute(e){return this.attributes[e]}setAttribute(e,t){return this.attributes[e]=t,this}deleteAttribute(e){return delete this.attributes[e],this}hasAttribute(e){return this.attributes[e]!==void 0}addGroup(e,t,n=0){this.groups.push({start:e,count:t,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(e,t){this.drawRange.start=e,this.drawRange.count=t}applyMatrix4(e){let t=this.attributes.position;t!==void 0&&(t.applyMatrix4(e),t.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let t=new Z().getNormalMatrix(e);n.applyNormalMatrix(t),n.needsUpdate=!0}let r=this.attributes.tangent;return r!==void 0&&(r.transformDirection(e),r.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(e){return Bc.makeRotationFromQuaternion(e),this.applyMatrix4(Bc),this}rotateX(e){return Bc.makeRotationX(e),this.applyMatrix4(Bc),this}rotateY(e){return Bc.makeRotationY(e),this.applyMatrix4(Bc),this}rotateZ(e){return Bc.makeRotationZ(e),this.applyMatrix4(Bc),this}translate(e,t,n){return Bc.makeTranslation(e,t,n),this.applyMatrix4(Bc),this}scale(e,t,n){return Bc.makeScale(e,t,n),this.applyMatrix4(Bc),this}lookAt(e){return Vc.lookAt(e),Vc.updateMatrix(),this.applyMatrix4(Vc.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Hc).negate(),this.translate(Hc.x,Hc.y,Hc.z),this}setFromPoints(e){let t=this.getAttribute(`position`);if(t===void 0){let t=[];for(let n=0,r=e.length;n<r;n++){let r=e[n];t.push(r.x,r.y,r.z||0)}this.setAttribute(`position`,new Pc(t,3))}else{let n=Math.min(e.length,t.count);for(let r=0;r<n;r++){let n=e[r];t.setXYZ(r,n.x,n.y,n.z||0)}e.length>t.count&&J(`BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry.`),t.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new pc);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute)Y(`BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.`,this),this.boundingBox.set(new X(-1/0,-1/0,-1/0),new X(1/0,1/0,1/0));else{if(e!==void 0){if(this.boundingBox.setFromBufferAttribute(e),t)for(let e=0,n=t.length;e<n;e++){let n=t[e];Uc.setFromBufferAttribute(n),this.morphTargetsRelative?(Gc.addVectors(this.boundingBox.min,Uc.min),this.boundingBox.expandByPoint(Gc),Gc.addVectors(this.boundingBox.max,Uc.max),this.boundingBox.expandByPoint(Gc)):(this.boundingBox.expandByPoint(Uc.min),this.boundingBox.expandByPoint(Uc.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&Y(`BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.`,this)}}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Rc);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute)Y(`BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.`,this),this.boundingSphere.set(new X,1/0);else if(e){let n=this.boundingSphere.center;if(Uc.setFromBufferAttribute(e),t)for(let e=0,n=t.length;e<n;e++){let n=t[e];Wc.setFromBufferAttribute(n),this.morphTargetsRelative?(Gc.addVectors(Uc.min,Wc.min),Uc.expandByPoint(Gc),Gc.addVectors(Uc.max,Wc.max),Uc.expandByPoint(Gc)):(Uc.expandByPoint(Wc.min),Uc.expandByPoint(Wc.max))}Uc.getCenter(n);let r=0;for(let t=0,i=e.count;t<i;t++)Gc.fromBufferAttribute(e,t),r=Math.max(r,n.distanceToSquared(Gc));if(t)for(let i=0,a=t.length;i<a;i++){let a=t[i],o=this.morphTargetsRelative;for(let t=0,i=a.count;t<i;t++)Gc.fromBufferAttribute(a,t),o&&(Hc.fromBufferAttribute(e,t),Gc.add(Hc)),r=Math.max(r,n.distanceToSquared(Gc))}this.boundingSphere.radius=Math.sqrt(r),isNaN(this.boundingSphere.radius)&&Y(`BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.`,this)}}computeTangents(){let e=this.index,t=this.attributes;if(e===null||t.position===void 0||t.normal===void 0||t.uv===void 0){Y(`BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)`);return}let n=t.position,r=t.normal,i=t.uv,a=this.getAttribute(`tangent`);(a===void 0||a.count!==n.count)&&(a=new jc(new Float32Array(4*n.count),4),this.setAttribute(`tangent`,a));let o=[],s=[],c=new Uint8Array(n.count);for(let e=0;e<n.count;e++)o[e]=new X,s[e]=new X;let l=new X,u=new X,d=new X,f=new Go,p=new Go,m=new Go,h=new X,g=new X;function _(e,t,r){c[e]=c[t]=c[r]=1,l.fromBufferAttribute(n,e),u.fromBufferAttribute(n,t),d.fromBufferAttribute(n,r),f.fromBufferAttribute(i,e),p.fromBufferAttribute(i,t),m.fromBufferAttribute(i,r),u.sub(l),d.sub(l),p.sub(f),m.sub(f);let a=1/(p.x*m.y-m.x*p.y);isFinite(a)&&(h.copy(u).multiplyScalar(m.y).addScaledVector(d,-p.y).multiplyScalar(a),g.copy(d).multiplyScalar(p.x).addScaledVector(u,-m.x).multiplyScalar(a),o[e].add(h),o[t].add(h),o[r].add(h),s[e].add(g),s[t].add(g),s[r].add(g))}let v=this.groups;v.length===0&&(v=[{start:0,count:e.count}]);for(let t=0,n=v.length;t<n;++t){let n=v[t],r=n.start,i=n.count;for(let t=r,n=r+i;t<n;t+=3)_(e.getX(t+0),e.getX(t+1),e.getX(t+2))}let y=new X,b=new X,x=new X,S=new X;function C(e){x.fromBufferAttribute(r,e),S.copy(x);let t=o[e];y.copy(t),y.sub(x.multiplyScalar(x.dot(t))).normalize(),b.crossVectors(S,t);let n=b.dot(s[e])<0?-1:1;a.setXYZW(e,y.x,y.y,y.z,n)}for(let e=0,t=n.count;e<t;++e)c[e]&&C(e);this._transformed=!0}computeVertexNormals(){let e=this.index,t=this.getAttribute(`position`);if(t!==void 0){let n=this.getAttribute(`normal`);if(n===void 0||n.count!==t.count)n=new jc(new Float32Array(t.count*3),3),this.setAttribute(`normal`,n);else for(let e=0,t=n.count;e<t;e++)n.setXYZ(e,0,0,0);let r=new X,i=new X,a=new X,o=new X,s=new X,c=new X,l=new X,u=new X;if(e)for(let d=0,f=e.count;d<f;d+=3){let f=e.getX(d+0),p=e.getX(d+1),m=e.getX(d+2);r.fromBufferAttribute(t,f),i.fromBufferAttribute(t,p),a.fromBufferAttribute(t,m),l.subVectors(a,i),u.subVectors(r,i),l.cross(u),o.fromBufferAttribute(n,f),s.fromBufferAttribute(n,p),c.fromBufferAttribute(n,m),o.add(l),s.add(l),c.add(l),n.setXYZ(f,o.x,o.y,o.z),n.setXYZ(p,s.x,s.y,s.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let e=0,o=t.count;e<o;e+=3)r.fromBufferAttribute(t,e+0),i.fromBufferAttribute(t,e+1),a.fromBufferAttribute(t,e+2),l.subVectors(a,i),u.subVectors(r,i),l.cross(u),n.setXYZ(e+0,l.x,l.y,l.z),n.setXYZ(e+1,l.x,l.y,l.z),n.setXYZ(e+2,l.x,l.y,l.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let e=this.attributes.normal;for(let t=0,n=e.count;t<n;t++)Gc.fromBufferAttribute(e,t),Gc.normalize(),e.setXYZ(t,Gc.x,Gc.y,Gc.z)}toNonIndexed(){function t(e,t){let n=e.array,r=e.itemSize,i=e.normalized,a=new n.constructor(t.length*r),o=0,s=0;for(let i=0,c=t.length;i<c;i++){o=e.isInterleavedBufferAttribute?t[i]*e.data.stride+e.offset:t[i]*r;for(let e=0;e<r;e++)a[s++]=n[o++]}return new jc(a,r,i)}if(this.index===null)return J(`BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed.`),this;let n=new e,r=this.index.array,i=this.attributes;for(let e in i){let a=i[e],o=t(a,r);n.setAttribute(e,o)}let a=this.morphAttributes;for(let e in a){let i=[],o=a[e];for(let e=0,n=o.length;e<n;e++){let n=o[e],a=t(n,r);i.push(a)}n.morphAttributes[e]=i}n.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let e=0,t=o.length;e<t;e++){let t=o[e];n.addGroup(t.start,t.count,t.materialIndex)}return n}toJSON(){let e={metadata:{version:4.7,type:`BufferGeometry`,generator:`BufferGeometry.toJSON`}};if(e.uuid=this.uuid,e.type=this.parameters!==void 0&&this._transformed===!0?`BufferGeometry`:this.type,e.name=this.name,Object.keys(this.userData).length>0&&(e.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let t=this.parameters;for(let n in t)t[n]!==void 0&&(e[n]=t[n]);return e}e.data={attributes:{}};let t=this.index;t!==null&&(e.data.index={type:t.array.constructor.name,array:Array.prototype.slice.call(t.array)});let n=this.attributes;for(let t in n){let r=n[t];e.data.attributes[t]=r.toJSON(e.data)}let r={},i=!1;for(let t in this.morphAttributes){let n=this.morphAttributes[t],a=[];for(let t=0,r=n.length;t<r;t++){let r=n[t];a.push(r.toJSON(e.data))}a.length>0&&(r[t]=a,i=!0)}i&&(e.data.morphAttributes=r,e.data.morphTargetsRelative=this.morphTargetsRelative);let a=this.groups;a.length>0&&(e.data.groups=JSON.parse(JSON.stringify(a)));let o=this.boundingSphere;return o!==null&&(e.data.boundingSphere=o.toJSON()),e}clone(){return new this.constructor().copy(this)}copy(e){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let t={};this.name=e.name;let n=e.index;n!==null&&this.setIndex(n.clone());let r=e.attributes;for(let e in r){let n=r[e];this.setAttribute(e,n.clone(t))}let i=e.morphAttributes;for(let e in i){let n=[],r=i[e];for(let e=0,i=r.length;e<i;e++)n.push(r[e].clone(t));this.morphAttributes[e]=n}this.morphTargetsRelative=e.morphTargetsRelative;let a=e.groups;for(let e=0,t=a.length;e<t;e++){let t=a[e];this.addGroup(t.start,t.count,t.materialIndex)}let o=e.boundingBox;o!==null&&(this.boundingBox=o.clone());let s=e.boundingSphere;return s!==null&&(this.boundingSphere=s.clone()),this.drawRange.start=e.drawRange.start,this.drawRange.count=e.drawRange.count,this.userData=e.userData,this._transformed=e._transformed,this}dispose(){this.dispatchEvent({type:`dispose`})}},qc=new X,Jc=new X,Yc=new Z,Xc=class{constructor(e=new X(1,0,0),t=0){this.isPlane=!0,this.normal=e,this.constant=t}set(e,t){return this.normal.copy(e),this.constant=t,this}setComponents(e,t,n,r){return this.normal.set(e,t,n),this.constant=r,this}setFromNormalAndCoplanarPoint(e,t){return this.normal.copy(e),this.constant=-t.dot(this.normal),this}setFromCoplanarPoints(e,t,n){let r=qc.subVectors(n,t).cross(Jc.subVectors(e,t)).normalize();return this.setFromNormalAndCoplanarPoint(r,e),this}copy(e){return this.normal.copy(e.normal),this.constant=e.constant,this}normalize(){let e=1/this.normal.length();return this.normal.multiplyScalar(e),this.constant*=e,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(e){return this.normal.dot(e)+this.constant}distanceToSphere(e){return this.distanceToPoint(e.center)-e.radius}projectPoint(e,t){return t.copy(e).addScaledVector(this.normal,-this.distanceToPoint(e))}intersectLine(e,t,n=!0){let r=e.delta(qc),i=this.normal.dot(r);if(i===0)return this.distanceToPoint(e.start)===0?t.copy(e.start):null;let a=-(e.start.dot(this.normal)+this.constant)/i;return n===!0&&(a<0||a>1)?null:t.copy(e.start).addScaledVector(r,a)}intersectsLine(e){let t=this.distanceToPoint(e.start),n=this.distanceToPoint(e.end);return t<0&&n>0||n<0&&t>0}intersectsBox(e){return e.intersectsPlane(this)}intersectsSphere(e){return e.intersectsPlane(this)}coplanarPoint(e){return e.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(e,t){let n=t||Yc.getNormalMatrix(e),r=this.coplanarPoint(qc).applyMatrix4(e),i=this.normal.applyMatrix3(n).normalize();return this.constant=-r.dot(i),this}translate(e){return this.constant-=e.dot(this.normal),this}equals(e){return e.normal.equals(this.normal)&&e.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(e){return this.normal.fromArray(e.normal),this.constant=e.constant,this}},Zc=0,Qc=class extends No{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:Zc++}),this.uuid=Lo(),this.name=``,this.type=`Material`,this.blending=1,this.side=0,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=204,this.blendDst=205,this.blendEquation=100,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Xs(0,0,0),this.blendAlpha=0,this.depthFunc=3,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=519,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=vo,this.stencilZFail=vo,this.stencilZPass=vo,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(e){this._alphaTest>0!=e>0&&this.version++,this._alphaTest=e}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(e){if(e!==void 0)for(let t in e){let n=e[t];if(n===void 0){J(`Material: parameter '${t}' has value of undefined.`);continue}let r=this[t];r===void 0?J(`Material: '${t}' is not a property of THREE.${this.type}.`):r&&r.isColor?r.set(n):r&&r.isVector2&&n&&n.isVector2||r&&r.isEuler&&n&&n.isEuler||r&&r.isVector3&&n&&n.isVector3?r.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e==`string`;t&&(e={textures:{},images:{}});let n={metadata:{version:4.7,type:`Material`,generator:`Material.toJSON`}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(e).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(e).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(e).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(e).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(e).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(e).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(e).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(e).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(e).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(e).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(e).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(e).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(e).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(e).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(e).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(e).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(e).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(e).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(e).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(e).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(e).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(e).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(e).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(e).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(e).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(e).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(e).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(e=>e.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function r(e){let t=[];for(let n in e){let r=e[n];delete r.metadata,t.push(r)}return t}if(t){let t=r(e.textures),i=r(e.images);t.length>0&&(n.textures=t),i.length>0&&(n.images=i)}return n}fromJSON(e,t){if(e.uuid!==void 0&&(this.uuid=e.uuid),e.name!==void 0&&(this.name=e.name),e.color!==void 0&&this.color!==void 0&&this.color.setHex(e.color),e.roughness!==void 0&&(this.roughness=e.roughness),e.metalness!==void 0&&(this.metalness=e.metalness),e.sheen!==void 0&&(this.sheen=e.sheen),e.sheenColor!==void 0&&(this.sheenColor=new Xs().setHex(e.sheenColor)),e.sheenRoughness!==void 0&&(this.sheenRoughness=e.sheenRoughness),e.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(e.emissive),e.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(e.specular),e.specularIntensity!==void 0&&(this.specularIntensity=e.specularIntensity),e.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(e.specularColor),e.shininess!==void 0&&(this.shininess=e.shininess),e.clearcoat!==void 0&&(this.clearcoat=e.clearcoat),e.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=e.clearcoatRoughness),e.diffuseRoughness!==void 0&&(this.diffuseRoughness=e.diffuseRoughness),e.dispersion!==void 0&&(this.dispersion=e.dispersion),e.retroreflectivity!==void 0&&(this.retroreflectivity=e.retroreflectivity),e.iridescence!==void 0&&(this.iridescence=e.iridescence),e.iridescenceIOR!==void 0&&(this.iridescenceIOR=e.iridescenceIOR),e.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessMinimum),e.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=e.iridescenceThicknessMaximum),e.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=e.iridescenceThicknessRange[1]),e.transmission!==void 0&&(this.transmission=e.transmission),e.thickness!==void 0&&(this.thickness=e.thickness),e.attenuationDistance!==void 0&&(this.attenuationDistance=e.attenuationDistance),e.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(e.attenuationColor),e.anisotropy!==void 0&&(this.anisotropy=e.anisotropy),e.anisotropyRotation!==void 0&&(this.anisotropyRotation=e.anisotropyRotation),e.fog!==void 0&&(this.fog=e.fog),e.flatShading!==void 0&&(this.flatShading=e.flatShading),e.blending!==void 0&&(this.blending=e.blending),e.combine!==void 0&&(this.combine=e.combine),e.side!==void 0&&(this.side=e.side),e.shadowSide!==void 0&&(this.shadowSide=e.shadowSide),e.opacity!==void 0&&(this.opacity=e.opacity),e.transparent!==void 0&&(this.transparent=e.transparent),e.alphaTest!==void 0&&(this.alphaTest=e.alphaTest),e.alphaHash!==void 0&&(this.alphaHash=e.alphaHash),e.depthFunc!==void 0&&(this.depthFunc=e.depthFunc),e.depthTest!==void 0&&(this.depthTest=e.depthTest),e.depthWrite!==void 0&&(this.depthWrite=e.depthWrite),e.colorWrite!==void 0&&(this.colorWrite=e.colorWrite),e.clippingPlanes!==void 0&&(this.clippingPlanes=e.clippingPlanes.map(e=>new Xc().fromJSON(e))),e.clipIntersection!==void 0&&(this.clipIntersection=e.clipIntersection),e.clipShadows!==void 0&&(this.clipShadows=e.clipShadows),e.depthPacking!==void 0&&(this.depthPacking=e.depthPacking),e.blendSrc!==void 0&&(this.blendSrc=e.blendSrc),e.blendDst!==void 0&&(this.blendDst=e.blendDst),e.blendEquation!==void 0&&(this.blendEquation=e.blendEquation),e.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=e.blendSrcAlpha),e.blendDstAlpha!==void 0&&(this.blendDstAlpha=e.blendDstAlpha),e.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=e.blendEquationAlpha),e.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(e.blendColor),e.blendAlpha!==void 0&&(this.blendAlpha=e.blendAlpha),e.stencilWriteMask!==void 0&&(this.stencilWriteMask=e.stencilWriteMask),e.stencilFunc!==void 0&&(this.stencilFunc=e.stencilFunc),e.stencilRef!==void 0&&(this.stencilRef=e.stencilRef),e.stencilFuncMask!==void 0&&(this.stencilFuncMask=e.stencilFuncMask),e.stencilFail!==void 0&&(this.stencilFail=e.stencilFail),e.stencilZFail!==void 0&&(this.stencilZFail=e.stencilZFail),e.stencilZPass!==void 0&&(this.stencilZPass=e.stencilZPass),e.stencilWrite!==void 0&&(this.stencilWrite=e.stencilWrite),e.wireframe!==void 0&&(this.wireframe=e.wireframe),e.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=e.wireframeLinewidth),e.wireframeLinecap!==void 0&&(this.wireframeLinecap=e.wireframeLinecap),e.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=e.wireframeLinejoin),e.rotation!==void 0&&(this.rotation=e.rotation),e.linewidth!==void 0&&(this.linewidth=e.linewidth),e.linecap!==void 0&&(this.linecap=e.linecap),e.linejoin!==void 0&&(this.linejoin=e.linejoin),e.dashSize!==void 0&&(this.dashSize=e.dashSize),e.gapSize!==void 0&&(this.gapSize=e.gapSize),e.scale!==void 0&&(this.scale=e.scale),e.polygonOffset!==void 0&&(this.polygonOffset=e.polygonOffset),e.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=e.polygonOffsetFactor),e.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=e.polygonOffsetUnits),e.dithering!==void 0&&(this.dithering=e.dithering),e.alphaToCoverage!==void 0&&(this.alphaToCoverage=e.alphaToCoverage),e.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=e.premultipliedAlpha),e.forceSinglePass!==void 0&&(this.forceSinglePass=e.forceSinglePass),e.allowOverride!==void 0&&(this.allowOverride=e.allowOverride),e.visible!==void 0&&(this.visible=e.visible),e.toneMapped!==void 0&&(this.toneMapped=e.toneMapped),e.userData!==void 0&&(this.userData=e.userData),e.vertexColors!==void 0&&(this.vertexColors=typeof e.vertexColors==`number`?e.vertexColors>0:e.vertexColors),e.size!==void 0&&(this.size=e.size),e.sizeAttenuation!==void 0&&(this.sizeAttenuation=e.sizeAttenuation),e.map!==void 0&&(this.map=t[e.map]||null),e.matcap!==void 0&&(this.matcap=t[e.matcap]||null),e.alphaMap!==void 0&&(this.alphaMap=t[e.alphaMap]||null),e.bumpMap!==void 0&&(this.bumpMap=t[e.bumpMap]||null),e.bumpScale!==void 0&&(this.bumpScale=e.bumpScale),e.normalMap!==void 0&&(this.normalMap=t[e.normalMap]||null),e.normalMapType!==void 0&&(this.normalMapType=e.normalMapType),e.normalScale!==void 0){let t=e.normalScale;Array.isArray(t)===!1&&(t=[t,t]),this.normalScale=new Go().fromArray(t)}return e.displacementMap!==void 0&&(this.displacementMap=t[e.displacementMap]||null),e.displacementScale!==void 0&&(this.displacementScale=e.displacementScale),e.displacementBias!==void 0&&(this.displacementBias=e.displacementBias),e.roughnessMap!==void 0&&(this.roughnessMap=t[e.roughnessMap]||null),e.metalnessMap!==void 0&&(this.metalnessMap=t[e.metalnessMap]||null),e.emissiveMap!==void 0&&(this.emissiveMap=t[e.emissiveMap]||null),e.emissiveIntensity!==void 0&&(this.emissiveIntensity=e.emissiveIntensity),e.specularMap!==void 0&&(this.specularMap=t[e.specularMap]||null),e.specularIntensityMap!==void 0&&(this.specularIntensityMap=t[e.specularIntensityMap]||null),e.specularColorMap!==void 0&&(this.specularColorMap=t[e.specularColorMap]||null),e.envMap!==void 0&&(this.envMap=t[e.envMap]||null),e.envMapRotation!==void 0&&this.envMapRotation.fromArray(e.envMapRotation),e.envMapIntensity!==void 0&&(this.envMapIntensity=e.envMapIntensity),e.reflectivity!==void 0&&(this.reflectivity=e.reflectivity),e.refractionRatio!==void 0&&(this.refractionRatio=e.refractionRatio),e.lightMap!==void 0&&(this.lightMap=t[e.lightMap]||null),e.lightMapIntensity!==void 0&&(this.lightMapIntensity=e.lightMapIntensity),e.aoMap!==void 0&&(this.aoMap=t[e.aoMap]||null),e.aoMapIntensity!==void 0&&(this.aoMapIntensity=e.aoMapIntensity),e.gradientMap!==void 0&&(this.gradientMap=t[e.gradientMap]||null),e.clearcoatMap!==void 0&&(this.clearcoatMap=t[e.clearcoatMap]||null),e.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=t[e.clearcoatRoughnessMap]||null),e.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=t[e.clearcoatNormalMap]||null),e.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new Go().fromArray(e.clearcoatNormalScale)),e.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=t[e.diffuseRoughnessMap]||null),e.iridescenceMap!==void 0&&(this.iridescenceMap=t[e.iridescenceMap]||null),e.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=t[e.iridescenceThicknessMap]||null),e.transmissionMap!==void 0&&(this.transmissionMap=t[e.transmissionMap]||null),e.thicknessMap!==void 0&&(this.thicknessMap=t[e.thicknessMap]||null),e.anisotropyMap!==void 0&&(this.anisotropyMap=t[e.anisotropyMap]||null),e.sheenColorMap!==void 0&&(this.sheenColorMap=t[e.sheenColorMap]||null),e.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=t[e.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(e){this.name=e.name,this.blending=e.blending,this.side=e.side,this.vertexColors=e.vertexColors,this.opacity=e.opacity,this.transparent=e.transparent,this.blendSrc=e.blendSrc,this.blendDst=e.blendDst,this.blendEquation=e.blendEquation,this.blendSrcAlpha=e.blendSrcAlpha,this.blendDstAlpha=e.blendDstAlpha,this.blendEquationAlpha=e.blendEquationAlpha,this.blendColor.copy(e.blendColor),this.blendAlpha=e.blendAlpha,this.depthFunc=e.depthFunc,this.depthTest=e.depthTest,this.depthWrite=e.depthWrite,this.stencilWriteMask=e.stencilWriteMask,this.stencilFunc=e.stencilFunc,this.stencilRef=e.stencilRef,this.stencilFuncMask=e.stencilFuncMask,this.stencilFail=e.stencilFail,this.stencilZFail=e.stencilZFail,this.stencilZPass=e.stencilZPass,this.stencilWrite=e.stencilWrite;let t=e.clippingPlanes,n=null;if(t!==null){let e=t.length;n=Array(e);for(let r=0;r!==e;++r)n[r]=t[r].clone()}return this.clippingPlanes=n,this.clipIntersection=e.clipIntersection,this.clipShadows=e.clipShadows,this.shadowSide=e.shadowSide,this.colorWrite=e.colorWrite,this.precision=e.precision,this.polygonOffset=e.polygonOffset,this.polygonOffsetFactor=e.polygonOffsetFactor,this.polygonOffsetUnits=e.polygonOffsetUnits,this.dithering=e.dithering,this.alphaTest=e.alphaTest,this.alphaHash=e.alphaHash,this.alphaToCoverage=e.alphaToCoverage,this.premultipliedAlpha=e.premultipliedAlpha,this.forceSinglePass=e.forceSinglePass,this.allowOverride=e.allowOverride,this.visible=e.visible,this.toneMapped=e.toneMapped,this.userData=JSON.parse(JSON.stringify(e.userData)),this}dispose(){this.dispatchEvent({type:`dispose`})}set needsUpdate(e){e===!0&&this.version++}},$c=new X,el=new X,tl=new X,nl=new X,rl=class{constructor(e=new X,t=new X(0,0,-1)){this.origin=e,this.direction=t}set(e,t){return this.origin.copy(e),this.direction.copy(t),this}copy(e){return this.origin.copy(e.origin),this.direction.copy(e.direction),this}at(e,t){return t.copy(this.origin).addScaledVector(this.direction,e)}lookAt(e){return this.direction.copy(e).sub(this.origin).normalize(),this}recast(e){return this.origin.copy(this.at(e,$c)),this}closestPointToPoint(e,t){t.subVectors(e,this.origin);let n=t.dot(this.direction);return n<0?t.copy(this.origin):t.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(e){return Math.sqrt(this.distanceSqToPoint(e))}distanceSqToPoint(e){let t=$c.subVectors(e,this.origin).dot(this.direction);return t<0?this.origin.distanceToSquared(e):($c.copy(this.origin).addScaledVector(this.direction,t),$c.distanceToSquared(e))}distanceSqToSegment(e,t,n,r){el.copy(e).add(t).multiplyScalar(.5),tl.copy(t).sub(e).normalize(),nl.copy(this.origin).sub(el);let i=e.distanceTo(t)*.5,a=-this.direction.dot(tl),o=nl.dot(this.direction),s=-nl.dot(tl),c=nl.lengthSq(),l=Math.abs(1-a*a),u,d,f,p;if(l>0){if(u=a*s-o,d=a*o-s,p=i*l,u>=0){if(d>=-p){if(d<=p){let e=1/l;u*=e,d*=e,f=u*(u+a*d+2*o)+d*(a*u+d+2*s)+c}else d=i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c}else d=-i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c}else d<=-p?(u=Math.max(0,-(-a*i+o)),d=u>0?-i:Math.min(Math.max(-i,-s),i),f=-u*u+d*(d+2*s)+c):d<=p?(u=0,d=Math.min(Math.max(-i,-s),i),f=d*(d+2*s)+c):(u=Math.max(0,-(a*i+o)),d=u>0?i:Math.min(Math.max(-i,-s),i),f=-u*u+d*(d+2*s)+c)}else d=a>0?-i:i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),r&&r.copy(el).addScaledVector(tl,d),f}intersectSphere(e,t){if(e.radius<0)return null;$c.subVectors(e.center,this.origin);let n=$c.dot(this.direction),r=$c.dot($c)-n*n,i=e.radius*e.radius;if(r>i)return null;let a=Math.sqrt(i-r),o=n-a,s=n+a;return s<0?null:o<0?this.at(s,t):this.at(o,t)}intersectsSphere(e){return e.radius<0?!1:this.distanceSqToPoint(e.center)<=e.radius*e.radius}distanceToPlane(e){let t=e.normal.dot(this.direction);if(t===0)return e.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(e.normal)+e.constant)/t;return n>=0?n:null}intersectPlane(e,t){let n=this.distanceToPlane(e);return n===null?null:this.at(n,t)}intersectsPlane(e){let t=e.distanceToPoint(this.origin);return t===0||e.normal.dot(this.direction)*t<0}intersectBox(e,t){let n,r,i,a,o,s,c=1/this.direction.x,l=1/this.direction.y,u=1/this.direction.z,d=this.origin;return c>=0?(n=(e.min.x-d.x)*c,r=(e.max.x-d.x)*c):(n=(e.max.x-d.x)*c,r=(e.min.x-d.x)*c),l>=0?(i=(e.min.y-d.y)*l,a=(e.max.y-d.y)*l):(i=(e.max.y-d.y)*l,a=(e.min.y-d.y)*l),n>a||i>r||((i>n||isNaN(n))&&(n=i),(a<r||isNaN(r))&&(r=a),u>=0?(o=(e.min.z-d.z)*u,s=(e.max.z-d.z)*u):(o=(e.max.z-d.z)*u,s=(e.min.z-d.z)*u),n>s||o>r)||((o>n||n!==n)&&(n=o),(s<r||r!==r)&&(r=s),r<0)?null:this.at(n>=0?n:r,t)}intersectsBox(e){return this.intersectBox(e,$c)!==null}intersectTriangle(e,t,n,r,i){let a=this.origin,o=this.direction,s=o.x,c=o.y,l=o.z,u=e.x-a.x,d=e.y-a.y,f=e.z-a.z,p=t.x-a.x,m=t.y-a.y,h=t.z-a.z,g=n.x-a.x,_=n.y-a.y,v=n.z-a.z,y=Math.abs(s),b=Math.abs(c),x=Math.abs(l),S,C,w,T,E,D,O,k,A,j,M,N;if(y>=b&&y>=x?(w=s,D=u,A=p,N=g,s>=0?(S=c,C=l,T=d,E=f,O=m,k=h,j=_,M=v):(S=l,C=c,T=f,E=d,O=h,k=m,j=v,M=_)):b>=x?(w=c,D=d,A=m,N=_,c>=0?(S=l,C=s,T=f,E=u,O=h,k=p,j=v,M=g):(S=s,C=l,T=u,E=f,O=p,k=h,j=g,M=v)):(w=l,D=f,A=h,N=v,l>=0?(S=s,C=c,T=u,E=d,O=p,k=m,j=g,M=_):(S=c,C=s,T=d,E=u,O=m,k=p,j=_,M=g)),w===0)return null;let P=S/w,F=C/w,I=1/w,ee=T-P*D,L=E-F*D,R=O-P*A,te=k-F*A,ne=j-P*N,z=M-F*N,B=ne*te-z*R,re=ee*z-L*ne,ie=R*L-te*ee;if(r){if(B<0||re<0||ie<0)return null}else if((B<0||re<0||ie<0)&&(B>0||re>0||ie>0))return null;let ae=B+re+ie;if(ae===0)return null;let oe=I*(B*D+re*A+ie*N);return(ae>0?oe<0:oe>0)?null:this.at(oe/ae,i)}applyMatrix4(e){return this.origin.applyMatrix4(e),this.direction.transformDirection(e),this}equals(e){return e.origin.equals(this.origin)&&e.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},il=class extends Qc{constructor(e){super(),this.isMeshBasicMaterial=!0,this.type=`MeshBasicMaterial`,this.color=new Xs(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Ts,this.combine=0,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap=`round`,this.wireframeLinejoin=`round`,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.fog=e.fog,this}},al=new hs,ol=new rl,sl=new Rc,cl=new X,ll=new X,ul=new X,dl=new X,fl=new X,pl=new X,ml=new X,hl=new X,gl=class extends Hs{constructor(e=new Kc,t=new il){super(),this.isMesh=!0,this.type=`Mesh`,this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),this.morphTargetInfluences=e.morphTargetInfluences===void 0?void 0:e.morphTargetInfluences.slice(),this.morphTargetDictionary=e.morphTargetDictionary===void 0?void 0:Object.assign({},e.morphTargetDictionary),this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,t=Object.keys(e);if(t.length>0){let n=e[t[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let e=0,t=n.length;e<t;e++){let t=n[e].name||String(e);this.morphTargetInfluences.push(0),this.morphTargetDictionary[t]=e}}}}getVertexPosition(e,t){let n=this.geometry,r=n.attributes.position,i=n.morphAttributes.position,a=n.morphTargetsRelative;t.fromBufferAttribute(r,e);let o=this.morphTargetInfluences;if(i&&o){pl.set(0,0,0);for(let n=0,r=i.length;n<r;n++){let r=o[n],s=i[n];r!==0&&(fl.fromBufferAttribute(s,e),a?pl.addScaledVector(fl,r):pl.addScaledVector(fl.sub(t),r))}t.add(pl)}return t}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,r=this.material,i=this.matrixWorld;r!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),sl.copy(n.boundingSphere),sl.applyMatrix4(i),ol.copy(e.ray).recast(e.near),sl.containsPoint(ol.origin)===!1&&(ol.intersectSphere(sl,cl)===null||ol.origin.distanceToSquared(cl)>(e.far-e.near)**2)||(al.copy(i).invert(),ol.copy(e.ray).applyMatrix4(al),(n.boundingBox===null||ol.intersectsBox(n.boundingBox)!==!1)&&this._computeIntersections(e,t,ol)))}_computeIntersections(e,t,n){let r,i=this.geometry,a=this.material,o=i.index,s=i.attributes.position,c=i.attributes.uv,l=i.attributes.uv1,u=i.attributes.normal,d=i.groups,f=i.drawRange;if(o!==null){if(Array.isArray(a))for(let i=0,s=d.length;i<s;i++){let s=d[i],p=a[s.materialIndex],m=Math.max(s.start,f.start),h=Math.min(o.count,Math.min(s.start+s.count,f.start+f.count));for(let i=m,a=h;i<a;i+=3){let a=o.getX(i),d=o.getX(i+1),f=o.getX(i+2);r=vl(this,p,e,n,c,l,u,a,d,f),r&&(r.faceIndex=Math.floor(i/3),r.face.materialIndex=s.materialIndex,t.push(r))}}else{let i=Math.max(0,f.start),s=Math.min(o.count,f.start+f.count);for(let d=i,f=s;d<f;d+=3){let i=o.getX(d),s=o.getX(d+1),f=o.getX(d+2);r=vl(this,a,e,n,c,l,u,i,s,f),r&&(r.faceIndex=Math.floor(d/3),t.push(r))}}}else if(s!==void 0){if(Array.isArray(a))for(let i=0,o=d.length;i<o;i++){let o=d[i],p=a[o.materialIndex],m=Math.max(o.start,f.start),h=Math.min(s.count,Math.min(o.start+o.count,f.start+f.count));for(let i=m,a=h;i<a;i+=3){let a=i,s=i+1,d=i+2;r=vl(this,p,e,n,c,l,u,a,s,d),r&&(r.faceIndex=Math.floor(i/3),r.face.materialIndex=o.materialIndex,t.push(r))}}else{let i=Math.max(0,f.start),o=Math.min(s.count,f.start+f.count);for(let s=i,d=o;s<d;s+=3){let i=s,o=s+1,d=s+2;r=vl(this,a,e,n,c,l,u,i,o,d),r&&(r.faceIndex=Math.floor(s/3),t.push(r))}}}}};function _l(e,t,n,r,i,a,o,s){let c;if(c=t.side===1?r.intersectTriangle(o,a,i,!0,s):r.intersectTriangle(i,a,o,t.side===0,s),c===null)return null;hl.copy(s),hl.applyMatrix4(e.matrixWorld);let l=n.ray.origin.distanceTo(hl);return l<n.near||l>n.far?null:{distance:l,point:hl.clone(),object:e}}function vl(e,t,n,r,i,a,o,s,c,l){e.getVertexPosition(s,ll),e.getVertexPosition(c,ul),e.getVertexPosition(l,dl);let u=_l(e,t,n,r,ll,ul,dl,ml);if(u){let e=new X;fc.getBarycoord(ml,ll,ul,dl,e),i&&(u.uv=fc.getInterpolatedAttribute(i,s,c,l,e,new Go)),a&&(u.uv1=fc.getInterpolatedAttribute(a,s,c,l,e,new Go)),o&&(u.normal=fc.getInterpolatedAttribute(o,s,c,l,e,new X),u.normal.dot(r.direction)>0&&u.normal.multiplyScalar(-1));let t={a:s,b:c,c:l,normal:new X,materialIndex:0};fc.getNormal(ll,ul,dl,t.normal),u.face=t,u.barycoord=e}return u}var yl=class extends ls{constructor(e=null,t=1,n=1,r,i,a,o,s,c=Ji,l=Ji,u,d){super(null,a,o,s,c,l,r,i,u,d),this.isDataTexture=!0,this.image={data:e,width:t,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}},bl=new Rc,xl=new Go(.5,.5),Sl=new X,Cl=class{constructor(e=new Xc,t=new Xc,n=new Xc,r=new Xc,i=new Xc,a=new Xc){this.planes=[e,t,n,r,i,a]}set(e,t,n,r,i,a){let o=this.planes;return o[0].copy(e),o[1].copy(t),o[2].copy(n),o[3].copy(r),o[4].copy(i),o[5].copy(a),this}copy(e){let t=this.planes;for(let n=0;n<6;n++)t[n].copy(e.planes[n]);return this}setFromProjectionMatrix(e,t=So,n=!1){let r=this.planes,i=e.elements,a=i[0],o=i[1],s=i[2],c=i[3],l=i[4],u=i[5],d=i[6],f=i[7],p=i[8],m=i[9],h=i[10],g=i[11],_=i[12],v=i[13],y=i[14],b=i[15];if(r[0].setComponents(c-a,f-l,g-p,b-_).normalize(),r[1].setComponents(c+a,f+l,g+p,b+_).normalize(),r[2].setComponents(c+o,f+u,g+m,b+v).normalize(),r[3].setComponents(c-o,f-u,g-m,b-v).normalize(),n)r[4].setComponents(s,d,h,y).normalize(),r[5].setComponents(c-s,f-d,g-h,b-y).normalize();else if(r[4].setComponents(c-s,f-d,g-h,b-y).normalize(),t===2e3)r[5].setComponents(c+s,f+d,g+h,b+y).normalize();else if(t===2001)r[5].setComponents(s,d,h,y).normalize();else throw Error(`THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: `+t);return this}intersectsObject(e){if(e.boundingSphere!==void 0)e.boundingSphere===null&&e.computeBoundingSphere(),bl.copy(e.boundingSphere).applyMatrix4(e.matrixWorld);else{let t=e.geometry;t.boundingSphere===null&&t.computeBoundingSphere(),bl.copy(t.boundingSphere).applyMatrix4(e.matrixWorld)}return this.intersectsSphere(bl)}intersectsSprite(e){return bl.center.set(0,0,0),bl.radius=.7071067811865476+xl.distanceTo(e.center),bl.applyMatrix4(e.matrixWorld),this.intersectsSphere(bl)}intersectsSphere(e){let t=this.planes,n=e.center,r=-e.radius;for(let e=0;e<6;e++)if(t[e].distanceToPoint(n)<r)return!1;return!0}intersectsBox(e){let t=this.planes;for(let n=0;n<6;n++){let r=t[n];if(Sl.x=r.normal.x>0?e.max.x:e.min.x,Sl.y=r.normal.y>0?e.max.y:e.min.y,Sl.z=r.normal.z>0?e.max.z:e.min.z,r.distanceToPoint(Sl)<0)return!1}return!0}containsPoint(e){let t=this.planes;for(let n=0;n<6;n++)if(t[n].distanceToPoint(e)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},wl=new hs,Tl=class e{constructor(){this.coordinateSystem=So,this._frustums=[],this._count=0}setFromArrayCamera(e){let t=e.cameras,n=this._frustums;for(let e=0;e<t.length;e++){let r=t[e];wl.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[e]===void 0&&(n[e]=new Cl),n[e].setFromProjectionMatrix(wl,r.coordinateSystem,r.reversedDepth)}return this._count=t.length,this}getFrustum(e){return this._frustums[e]}intersectsObject(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsObject(e))return!0;return!1}intersectsSprite(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSprite(e))return!0;return!1}intersectsSphere(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSphere(e))return!0;return!1}intersectsBox(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsBox(e))return!0;return!1}containsPoint(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].containsPoint(e))return!0;return!1}copy(e){this.coordinateSystem=e.coordinateSystem;let t=this._frustums,n=e._frustums;for(let r=0;r<e._count;r++)t[r]===void 0&&(t[r]=new Cl),t[r].copy(n[r]);return this._count=e._count,this}clone(){return new e().copy(this)}},El=class extends Qc{constructor(e){super(),this.isPointsMaterial=!0,this.type=`PointsMaterial`,this.color=new Xs(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.alphaMap=e.alphaMap,this.size=e.size,this.sizeAttenuation=e.sizeAttenuation,this.fog=e.fog,this}},Dl=new hs,Ol=new rl,kl=new Rc,Al=new X,jl=class extends Hs{constructor(e=new Kc,t=new El){super(),this.isPoints=!0,this.type=`Points`,this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),this.morphTargetInfluences=e.morphTargetInfluences===void 0?void 0:e.morphTargetInfluences.slice(),this.morphTargetDictionary=e.morphTargetDictionary===void 0?void 0:Object.assign({},e.morphTargetDictionary),this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,r=this.matrixWorld,i=e.params.Points.threshold,a=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),kl.copy(n.boundingSphere),kl.applyMatrix4(r),kl.radius+=i,e.ray.intersectsSphere(kl)===!1)return;Dl.copy(r).invert(),Ol.copy(e.ray).applyMatrix4(Dl);let o=i/((this.scale.x+this.scale.y+this.scale.z)/3),s=o*o,c=n.index,l=n.attributes.position;if(c!==null){let n=Math.max(0,a.start),i=Math.min(c.count,a.start+a.count);for(let a=n,o=i;a<o;a++){let n=c.getX(a);Al.fromBufferAttribute(l,n),Ml(Al,n,s,r,e,t,this)}}else{let n=Math.max(0,a.start),i=Math.min(l.count,a.start+a.count);for(let a=n,o=i;a<o;a++)Al.fromBufferAttribute(l,a),Ml(Al,a,s,r,e,t,this)}}updateMorphTargets(){let e=this.geometry.morphAttributes,t=Object.keys(e);if(t.length>0){let n=e[t[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let e=0,t=n.length;e<t;e++){let t=n[e].name||String(e);this.morphTargetInfluences.push(0),this.morphTargetDictionary[t]=e}}}}};function Ml(e,t,n,r,i,a,o){let s=Ol.distanceSqToPoint(e);if(s<n){let n=new X;Ol.closestPointToPoint(e,n),n.applyMatrix4(r);let c=i.ray.origin.distanceTo(n);if(c<i.near||c>i.far)return;a.push({distance:c,distanceToRay:Math.sqrt(s),point:n,index:t,face:null,faceIndex:null,barycoord:null,object:o})}}var Nl=class extends ls{constructor(e=[],t=301,n,r,i,a,o,s,c,l){super(e,t,n,r,i,a,o,s,c,l),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(e){this.image=e}},Pl=class extends ls{constructor(e,t,n=aa,r,i,a,o=Ji,s=Ji,c,l=ga,u=1){if(l!==1026&&l!==1027)throw Error(`THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat`);super({width:e,height:t,depth:u},r,i,a,o,s,l,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(e){return super.copy(e),this.source=new as(Object.assign({},e.image)),this.compareFunction=e.compareFunction,this}toJSON(e){let t=super.toJSON(e);return t.compareFunction=this.compareFunction,t}},Fl=class extends Pl{constructor(e,t=aa,n=301,r,i,a=Ji,o=Ji,s,c=ga){let l={width:e,height:e,depth:1},u=[l,l,l,l,l,l];super(e,e,t,n,r,i,a,o,s,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(e){this.image=e}},Il=class extends ls{constructor(e=null){super(),this.sourceTexture=e,this.isExternalTexture=!0}copy(e){return super.copy(e),this.sourceTexture=e.sourceTexture,this}},Ll=class e extends Kc{constructor(e=1,t=1,n=1,r=1,i=1,a=1){super(),this.type=`BoxGeometry`,this.parameters={width:e,height:t,depth:n,widthSegments:r,heightSegments:i,depthSegments:a};let o=this;r=Math.floor(r),i=Math.floor(i),a=Math.floor(a);let s=[],c=[],l=[],u=[],d=0,f=0;p(`z`,`y`,`x`,-1,-1,n,t,e,a,i,0),p(`z`,`y`,`x`,1,-1,n,t,-e,a,i,1),p(`x`,`z`,`y`,1,1,e,n,t,r,a,2),p(`x`,`z`,`y`,1,-1,e,n,-t,r,a,3),p(`x`,`y`,`z`,1,-1,e,t,n,r,i,4),p(`x`,`y`,`z`,-1,-1,e,t,-n,r,i,5),this.setIndex(s),this.setAttribute(`position`,new Pc(c,3)),this.setAttribute(`normal`,new Pc(l,3)),this.setAttribute(`uv`,new Pc(u,2));function p(e,t,n,r,i,a,p,m,h,g,_){let v=a/h,y=p/g,b=a/2,x=p/2,S=m/2,C=h+1,w=g+1,T=0,E=0,D=new X;for(let a=0;a<w;a++){let o=a*y-x;for(let s=0;s<C;s++)D[e]=(s*v-b)*r,D[t]=o*i,D[n]=S,c.push(D.x,D.y,D.z),D[e]=0,D[t]=0,D[n]=m>0?1:-1,l.push(D.x,D.y,D.z),u.push(s/h),u.push(1-a/g),T+=1}for(let e=0;e<g;e++)for(let t=0;t<h;t++){let n=d+t+C*e,r=d+t+C*(e+1),i=d+(t+1)+C*(e+1),a=d+(t+1)+C*e;s.push(n,r,a),s.push(r,i,a),E+=6}o.addGroup(f,E,_),f+=E,d+=T}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}},Rl=class e extends Kc{constructor(e=1,t=1,n=1,r=1){super(),this.type=`PlaneGeometry`,this.parameters={width:e,height:t,widthSegments:n,heightSegments:r};let i=e/2,a=t/2,o=Math.floor(n),s=Math.floor(r),c=o+1,l=s+1,u=e/o,d=t/s,f=[],p=[],m=[],h=[];for(let e=0;e<l;e++){let t=e*d-a;for(let n=0;n<c;n++){let r=n*u-i;p.push(r,-t,0),m.push(0,0,1),h.push(n/o),h.push(1-e/s)}}for(let e=0;e<s;e++)for(let t=0;t<o;t++){let n=t+c*e,r=t+c*(e+1),i=t+1+c*(e+1),a=t+1+c*e;f.push(n,r,a),f.push(r,i,a)}this.setIndex(f),this.setAttribute(`position`,new Pc(p,3)),this.setAttribute(`normal`,new Pc(m,3)),this.setAttribute(`uv`,new Pc(h,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.width,t.height,t.widthSegments,t.heightSegments)}};function zl(e){let t={};for(let n in e){t[n]={};for(let r in e[n]){let i=e[n][r];if(Vl(i))i.isRenderTargetTexture?(J(`UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms().`),t[n][r]=null):t[n][r]=i.clone();else if(Array.isArray(i)){if(Vl(i[0])){let e=[];for(let t=0,n=i.length;t<n;t++)e[t]=i[t].clone();t[n][r]=e}else t[n][r]=i.slice()}else t[n][r]=i}}return t}function Bl(e){let t={};for(let n=0;n<e.length;n++){let r=zl(e[n]);for(let e in r)t[e]=r[e]}return t}function Vl(e){return e&&(e.isColor||e.isMatrix3||e.isMatrix4||e.isVector2||e.isVector3||e.isVector4||e.isTexture||e.isQuaternion)}function Hl(e){let t=[];for(let n=0;n<e.length;n++)t.push(e[n].clone());return t}function Ul(e){let t=e.getRenderTarget();return t===null?e.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:$o.workingColorSpace}var Wl={clone:zl,merge:Bl},Gl=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,Kl=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,ql=class extends Qc{constructor(e){super(),this.isShaderMaterial=!0,this.type=`ShaderMaterial`,this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=Gl,this.fragmentShader=Kl,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,e!==void 0&&this.setValues(e)}copy(e){return super.copy(e),this.fragmentShader=e.fragmentShader,this.vertexShader=e.vertexShader,this.uniforms=zl(e.uniforms),this.uniformsGroups=Hl(e.uniformsGroups),this.defines=Object.assign({},e.defines),this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.fog=e.fog,this.lights=e.lights,this.clipping=e.clipping,this.extensions=Object.assign({},e.extensions),this.glslVersion=e.glslVersion,this.defaultAttributeValues=Object.assign({},e.defaultAttributeValues),this.index0AttributeName=e.index0AttributeName,this.uniformsNeedUpdate=e.uniformsNeedUpdate,this}toJSON(e){let t=super.toJSON(e);t.glslVersion=this.glslVersion,t.uniforms={};for(let n in this.uniforms){let r=this.uniforms[n].value;r&&r.isTexture?t.uniforms[n]={type:`t`,value:r.toJSON(e).uuid}:r&&r.isColor?t.uniforms[n]={type:`c`,value:r.getHex()}:r&&r.isVector2?t.uniforms[n]={type:`v2`,value:r.toArray()}:r&&r.isVector3?t.uniforms[n]={type:`v3`,value:r.toArray()}:r&&r.isVector4?t.uniforms[n]={type:`v4`,value:r.toArray()}:r&&r.isMatrix3?t.uniforms[n]={type:`m3`,value:r.toArray()}:r&&r.isMatrix4?t.uniforms[n]={type:`m4`,value:r.toArray()}:t.uniforms[n]={value:r}}Object.keys(this.defines).length>0&&(t.defines=this.defines),t.vertexShader=this.vertexShader,t.fragmentShader=this.fragmentShader,t.lights=this.lights,t.clipping=this.clipping;let n={};for(let e in this.extensions)this.extensions[e]===!0&&(n[e]=!0);return Object.keys(n).length>0&&(t.extensions=n),t}fromJSON(e,t){if(super.fromJSON(e,t),e.uniforms!==void 0)for(let n in e.uniforms){let r=e.uniforms[n];switch(this.uniforms[n]={},r.type){case`t`:this.uniforms[n].value=t[r.value]||null;break;case`c`:this.uniforms[n].value=new Xs().setHex(r.value);break;case`v2`:this.uniforms[n].value=new Go().fromArray(r.value);break;case`v3`:this.uniforms[n].value=new X().fromArray(r.value);break;case`v4`:this.uniforms[n].value=new us().fromArray(r.value);break;case`m3`:this.uniforms[n].value=new Z().fromArray(r.value);break;case`m4`:this.uniforms[n].value=new hs().fromArray(r.value);break;default:this.uniforms[n].value=r.value}}if(e.defines!==void 0&&(this.defines=e.defines),e.vertexShader!==void 0&&(this.vertexShader=e.vertexShader),e.fragmentShader!==void 0&&(this.fragmentShader=e.fragmentShader),e.glslVersion!==void 0&&(this.glslVersion=e.glslVersion),e.extensions!==void 0)for(let t in e.extensions)this.extensions[t]=e.extensions[t];return e.lights!==void 0&&(this.lights=e.lights),e.clipping!==void 0&&(this.clipping=e.clipping),this}},Jl=class extends ql{constructor(e){super(e),this.isRawShaderMaterial=!0,this.type=`RawShaderMaterial`}},Yl=class extends Qc{constructor(e){super(),this.isMeshDepthMaterial=!0,this.type=`MeshDepthMaterial`,this.depthPacking=po,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(e)}copy(e){return super.copy(e),this.depthPacking=e.depthPacking,this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this}},Xl=class extends Qc{constructor(e){super(),this.isMeshDistanceMaterial=!0,this.type=`MeshDistanceMaterial`,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(e)}copy(e){return super.copy(e),this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this}};function Zl(e,t){return!e||e.constructor===t?e:typeof t.BYTES_PER_ELEMENT==`number`?new t(e):Array.prototype.slice.call(e)}function Ql(e){return e!==void 0&&e.inTangents!==void 0&&e.outTangents!==void 0}var $l=class{constructor(e,t,n,r){this.parameterPositions=e,this._cachedIndex=0,this.resultBuffer=r===void 0?new t.constructor(n):r,this.sampleValues=t,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(e){let t=this.parameterPositions,n=this._cachedIndex,r=t[n],i=t[n-1];validate_interval:{seek:{let a;linear_scan:{forward_scan:if(!(e<r)){for(let a=n+2;;){if(r===void 0){if(e<i)break forward_scan;return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(i=r,r=t[++n],e<r)break seek}a=t.length;break linear_scan}if(!(e>=i)){let o=t[1];e<o&&(n=2,i=o);for(let a=n-2;;){if(i===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===a)break;if(r=i,i=t[--n-1],e>=i)break seek}a=n,n=0;break linear_scan}break validate_interval}for(;n<a;){let r=n+a>>>1;e<t[r]?a=r:n=r+1}if(r=t[n],i=t[n-1],i===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(r===void 0)return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,i,r)}return this.interpolate_(n,i,e,r)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(e){let t=this.resultBuffer,n=this.sampleValues,r=this.valueSize,i=e*r;for(let e=0;e!==r;++e)t[e]=n[i+e];return t}interpolate_(){throw Error(`THREE.Interpolant: Call to abstract method.`)}intervalChanged_(){}},eu=class extends $l{constructor(e,t,n,r){super(e,t,n,r),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:lo,endingEnd:lo}}intervalChanged_(e,t,n){let r=this.parameterPositions,i=e-2,a=e+1,o=r[i],s=r[a];if(o===void 0)switch(this.getSettings_().endingStart){case uo:i=e,o=2*t-n;break;case fo:i=r.length-2,o=t+r[i]-r[i+1];break;default:i=e,o=n}if(s===void 0)switch(this.getSettings_().endingEnd){case uo:a=e,s=2*n-t;break;case fo:a=1,s=n+r[1]-r[0];break;default:a=e-1,s=t}let c=(n-t)*.5,l=this.valueSize;this._weightPrev=c/(t-o),this._weightNext=c/(s-n),this._offsetPrev=i*l,this._offsetNext=a*l}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=this._offsetPrev,u=this._offsetNext,d=this._weightPrev,f=this._weightNext,p=(n-t)/(r-t),m=p*p,h=m*p,g=-d*h+2*d*m-d*p,_=(1+d)*h+(-1.5-2*d)*m+(-.5+d)*p+1,v=(-1-f)*h+(1.5+f)*m+.5*p,y=f*h-f*m;for(let e=0;e!==o;++e)i[e]=g*a[l+e]+_*a[c+e]+v*a[s+e]+y*a[u+e];return i}},tu=class extends $l{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=(n-t)/(r-t),u=1-l;for(let e=0;e!==o;++e)i[e]=a[c+e]*u+a[s+e]*l;return i}},nu=class extends $l{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e){return this.copySampleValue_(e-1)}},ru=class extends $l{interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=this.inTangents,u=this.outTangents;if(!l||!u){let e=(n-t)/(r-t),l=1-e;for(let t=0;t!==o;++t)i[t]=a[c+t]*l+a[s+t]*e;return i}let d=o*2,f=e-1;for(let p=0;p!==o;++p){let o=a[c+p],m=a[s+p],h=f*d+p*2,g=u[h],_=u[h+1],v=e*d+p*2,y=l[v],b=l[v+1],x=ou(n,t,g,y,r);i[p]=iu(x,o,_,b,m)}return i}};function iu(e,t,n,r,i){let a=1-e;return a*a*a*t+3*a*a*e*n+3*a*e*e*r+e*e*e*i}function au(e,t,n,r,i){let a=1-e;return 3*a*a*(n-t)+6*a*e*(r-n)+3*e*e*(i-r)}function ou(e,t,n,r,i){let a=(e-t)/(i-t);for(let o=0;o<8;o++){let o=iu(a,t,n,r,i)-e;if(Math.abs(o)<1e-10)break;let s=au(a,t,n,r,i);if(Math.abs(s)<1e-10)break;a=Math.max(0,Math.min(1,a-o/s))}return a}var su=class{constructor(e,t,n,r){if(e===void 0)throw Error(`THREE.KeyframeTrack: track name is undefined`);if(t===void 0||t.length===0)throw Error(`THREE.KeyframeTrack: no keyframes in track named `+e);this.name=e,this.times=Zl(t,this.TimeBufferType),this.values=Zl(n,this.ValueBufferType),this.setInterpolation(r||this.DefaultInterpolation)}static toJSON(e){let t=e.constructor,n;if(t.toJSON!==this.toJSON)n=t.toJSON(e);else{n={name:e.name,times:Zl(e.times,Array),values:Zl(e.values,Array)};let t=e.getInterpolation();t!==e.DefaultInterpolation&&(n.interpolation=t),Ql(e.settings)&&(n.settings={inTangents:Zl(e.settings.inTangents,Array),outTangents:Zl(e.settings.outTangents,Array)})}return n.type=e.ValueTypeName,n}InterpolantFactoryMethodDiscrete(e){return new nu(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodLinear(e){return new tu(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodSmooth(e){return new eu(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodBezier(e){let t=new ru(this.times,this.values,this.getValueSize(),e);return this.settings&&(t.inTangents=this.settings.inTangents,t.outTangents=this.settings.outTangents),t}setInterpolation(e){let t;switch(e){case ao:t=this.InterpolantFactoryMethodDiscrete;break;case oo:t=this.InterpolantFactoryMethodLinear;break;case so:t=this.InterpolantFactoryMethodSmooth;break;case co:t=this.InterpolantFactoryMethodBezier}if(t===void 0){let t=`unsupported interpolation for `+this.ValueTypeName+` keyframe track named `+this.name;if(this.createInterpolant===void 0){if(e!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw Error(t)}return J(`KeyframeTrack:`,t),this}return this.createInterpolant=t,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return ao;case this.InterpolantFactoryMethodLinear:return oo;case this.InterpolantFactoryMethodSmooth:return so;case this.InterpolantFactoryMethodBezier:return co}}getValueSize(){return this.values.length/this.times.length}shift(e){if(e!==0){let t=this.times;for(let n=0,r=t.length;n!==r;++n)t[n]+=e;Ql(this.settings)&&(cu(this.settings.inTangents,e),cu(this.settings.outTangents,e))}return this}scale(e){if(e!==1){let t=this.times;for(let n=0,r=t.length;n!==r;++n)t[n]*=e;Ql(this.settings)&&(lu(this.settings.inTangents,e),lu(this.settings.outTangents,e))}return this}trim(e,t){let n=this.times,r=n.length,i=0,a=r-1;for(;i!==r&&n[i]<e;)++i;for(;a!==-1&&n[a]>t;)--a;if(++a,i!==0||a!==r){i>=a&&(a=Math.max(a,1),i=a-1);let e=this.getValueSize();this.times=n.slice(i,a),this.values=this.values.slice(i*e,a*e)}return this}validate(){let e=!0,t=this.getValueSize();t-Math.floor(t)!==0&&(Y(`KeyframeTrack: Invalid value size in track.`,this),e=!1);let n=this.times,r=this.values,i=n.length;i===0&&(Y(`KeyframeTrack: Track is empty.`,this),e=!1);let a=null;for(let t=0;t!==i;t++){let r=n[t];if(typeof r==`number`&&isNaN(r)){Y(`KeyframeTrack: Time is not a valid number.`,this,t,r),e=!1;break}if(a!==null&&a>r){Y(`KeyframeTrack: Out of order keys.`,this,t,r,a),e=!1;break}a=r}if(r!==void 0&&wo(r))for(let t=0,n=r.length;t!==n;++t){let n=r[t];if(isNaN(n)){Y(`KeyframeTrack: Value is not a valid number.`,this,t,n),e=!1;break}}return e}optimize(){let e=this.times.slice(),t=this.values.slice(),n=this.getValueSize(),r=this.getInterpolation()===so,i=e.length-1,a=1;for(let o=1;o<i;++o){let i=!1,s=e[o];if(s!==e[o+1]&&(o!==1||s!==e[0])){if(r)i=!0;else{let e=o*n,r=e-n,a=e+n;for(let o=0;o!==n;++o){let n=t[e+o];if(n!==t[r+o]||n!==t[a+o]){i=!0;break}}}}if(i){if(o!==a){e[a]=e[o];let r=o*n,i=a*n;for(let e=0;e!==n;++e)t[i+e]=t[r+e]}++a}}if(i>0){e[a]=e[i];for(let e=i*n,r=a*n,o=0;o!==n;++o)t[r+o]=t[e+o];++a}return a===e.length?(this.times=e,this.values=t):(this.times=e.slice(0,a),this.values=t.slice(0,a*n)),this}clone(){let e=this.times.slice(),t=this.values.slice(),n=this.constructor,r=new n(this.name,e,t);return r.createInterpolant=this.createInterpolant,Ql(this.settings)&&(r.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),r}};function cu(e,t){for(let n=0,r=e.length;n!==r;n+=2)e[n]+=t}function lu(e,t){for(let n=0,r=e.length;n!==r;n+=2)e[n]*=t}su.prototype.ValueTypeName=``,su.prototype.TimeBufferType=Float32Array,su.prototype.ValueBufferType=Float32Array,su.prototype.DefaultInterpolation=oo;var uu=class extends su{constructor(e,t,n){super(e,t,n)}};uu.prototype.ValueTypeName=`bool`,uu.prototype.ValueBufferType=Array,uu.prototype.DefaultInterpolation=ao,uu.prototype.InterpolantFactoryMethodLinear=void 0,uu.prototype.InterpolantFactoryMethodSmooth=void 0;var du=class extends su{constructor(e,t,n,r){super(e,t,n,r)}};du.prototype.ValueTypeName=`color`;var fu=class extends su{constructor(e,t,n,r){super(e,t,n,r)}};fu.prototype.ValueTypeName=`number`;var pu=class extends $l{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=(n-t)/(r-t),c=e*o;for(let e=c+o;c!==e;c+=4)Ko.slerpFlat(i,0,a,c-o,a,c,s);return i}},mu=class extends su{constructor(e,t,n,r){super(e,t,n,r)}InterpolantFactoryMethodLinear(e){return new pu(this.times,this.values,this.getValueSize(),e)}};mu.prototype.ValueTypeName=`quaternion`,mu.prototype.InterpolantFactoryMethodSmooth=void 0;var hu=class extends su{constructor(e,t,n){super(e,t,n)}};hu.prototype.ValueTypeName=`string`,hu.prototype.ValueBufferType=Array,hu.prototype.DefaultInterpolation=ao,hu.prototype.InterpolantFactoryMethodLinear=void 0,hu.prototype.InterpolantFactoryMethodSmooth=void 0;var gu=class extends su{constructor(e,t,n,r){super(e,t,n,r)}};gu.prototype.ValueTypeName=`vector`;var _u=new X,vu=new Ko,yu=new X,bu=class extends Hs{constructor(){super(),this.isCamera=!0,this.type=`Camera`,this.matrixWorldInverse=new hs,this.projectionMatrix=new hs,this.projectionMatrixInverse=new hs,this.coordinateSystem=So,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(e,t){return super.copy(e,t),this.matrixWorldInverse.copy(e.matrixWorldInverse),this.projectionMatrix.copy(e.projectionMatrix),this.projectionMatrixInverse.copy(e.projectionMatrixInverse),this.coordinateSystem=e.coordinateSystem,this}getWorldDirection(e){return super.getWorldDirection(e).negate()}updateMatrixWorld(e){super.updateMatrixWorld(e),this.matrixWorld.decompose(_u,vu,yu),yu.x===1&&yu.y===1&&yu.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(_u,vu,yu.set(1,1,1)).invert()}updateWorldMatrix(e,t,n=!1){super.updateWorldMatrix(e,t,n),this.matrixWorld.decompose(_u,vu,yu),yu.x===1&&yu.y===1&&yu.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(_u,vu,yu.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},xu=new X,Su=new Go,Cu=new Go,wu=class extends bu{constructor(e=50,t=1,n=.1,r=2e3){super(),this.isPerspectiveCamera=!0,this.type=`PerspectiveCamera`,this.fov=e,this.zoom=1,this.near=n,this.far=r,this.focus=10,this.aspect=t,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.fov=e.fov,this.zoom=e.zoom,this.near=e.near,this.far=e.far,this.focus=e.focus,this.aspect=e.aspect,this.view=e.view===null?null:Object.assign({},e.view),this.filmGauge=e.filmGauge,this.filmOffset=e.filmOffset,this}setFocalLength(e){let t=.5*this.getFilmHeight()/e;this.fov=Io*2*Math.atan(t),this.updateProjectionMatrix()}getFocalLength(){let e=Math.tan(Fo*.5*this.fov);return .5*this.getFilmHeight()/e}getEffectiveFOV(){return Io*2*Math.atan(Math.tan(Fo*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(e,t,n){xu.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),t.set(xu.x,xu.y).multiplyScalar(-e/xu.z),xu.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(xu.x,xu.y).multiplyScalar(-e/xu.z)}getViewSize(e,t){return this.getViewBounds(e,Su,Cu),t.subVectors(Cu,Su)}setViewOffset(e,t,n,r,i,a){this.aspect=e/t,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=r,this.view.width=i,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=this.near,t=e*Math.tan(Fo*.5*this.fov)/this.zoom,n=2*t,r=this.aspect*n,i=-.5*r,a=this.view;if(this.view!==null&&this.view.enabled){let e=a.fullWidth,o=a.fullHeight;i+=a.offsetX*r/e,t-=a.offsetY*n/o,r*=a.width/e,n*=a.height/o}let o=this.filmOffset;o!==0&&(i+=e*o/this.getFilmWidth()),this.projectionMatrix.makePerspective(i,i+r,t,t-n,e,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.fov=this.fov,t.object.zoom=this.zoom,t.object.near=this.near,t.object.far=this.far,t.object.focus=this.focus,t.object.aspect=this.aspect,this.view!==null&&(t.object.view=Object.assign({},this.view)),t.object.filmGauge=this.filmGauge,t.object.filmOffset=this.filmOffset,t}},Tu=class extends bu{constructor(e=-1,t=1,n=1,r=-1,i=.1,a=2e3){super(),this.isOrthographicCamera=!0,this.type=`OrthographicCamera`,this.zoom=1,this.view=null,this.left=e,this.right=t,this.top=n,this.bottom=r,this.near=i,this.far=a,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.left=e.left,this.right=e.right,this.top=e.top,this.bottom=e.bottom,this.near=e.near,this.far=e.far,this.zoom=e.zoom,this.view=e.view===null?null:Object.assign({},e.view),this}setViewOffset(e,t,n,r,i,a){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=r,this.view.width=i,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=(this.right-this.left)/(2*this.zoom),t=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,r=(this.top+this.bottom)/2,i=n-e,a=n+e,o=r+t,s=r-t;if(this.view!==null&&this.view.enabled){let e=(this.right-this.left)/this.view.fullWidth/this.zoom,t=(this.top-this.bottom)/this.view.fullHeight/this.zoom;i+=e*this.view.offsetX,a=i+e*this.view.width,o-=t*this.view.offsetY,s=o-t*this.view.height}this.projectionMatrix.makeOrthographic(i,a,o,s,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.zoom=this.zoom,t.object.left=this.left,t.object.right=this.right,t.object.top=this.top,t.object.bottom=this.bottom,t.object.near=this.near,t.object.far=this.far,this.view!==null&&(t.object.view=Object.assign({},this.view)),t}},Eu=-90,Du=1,Ou=class extends Hs{constructor(e,t,n){super(),this.type=`CubeCamera`,this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let r=new wu(Eu,Du,e,t);r.layers=this.layers,this.add(r);let i=new wu(Eu,Du,e,t);i.layers=this.layers,this.add(i);let a=new wu(Eu,Du,e,t);a.layers=this.layers,this.add(a);let o=new wu(Eu,Du,e,t);o.layers=this.layers,this.add(o);let s=new wu(Eu,Du,e,t);s.layers=this.layers,this.add(s);let c=new wu(Eu,Du,e,t);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let e=this.coordinateSystem,t=this.children.concat(),[n,r,i,a,o,s]=t;for(let e of t)this.remove(e);if(e===2e3)n.up.set(0,1,0),n.lookAt(1,0,0),r.up.set(0,1,0),r.lookAt(-1,0,0),i.up.set(0,0,-1),i.lookAt(0,1,0),a.up.set(0,0,1),a.lookAt(0,-1,0),o.up.set(0,1,0),o.lookAt(0,0,1),s.up.set(0,1,0),s.lookAt(0,0,-1);else if(e===2001)n.up.set(0,-1,0),n.lookAt(-1,0,0),r.up.set(0,-1,0),r.lookAt(1,0,0),i.up.set(0,0,1),i.lookAt(0,1,0),a.up.set(0,0,-1),a.lookAt(0,-1,0),o.up.set(0,-1,0),o.lookAt(0,0,1),s.up.set(0,-1,0),s.lookAt(0,0,-1);else throw Error(`THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: `+e);for(let e of t)this.add(e),e.updateMatrixWorld()}update(e,t){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:r}=this;this.coordinateSystem!==e.coordinateSystem&&(this.coordinateSystem=e.coordinateSystem,this.updateCoordinateSystem());let[i,a,o,s,c,l]=this.children,u=e.getRenderTarget(),d=e.getActiveCubeFace(),f=e.getActiveMipmapLevel(),p=e.xr.enabled;e.xr.enabled=!1;let m=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let h=!1;h=e.isWebGLRenderer===!0?e.state.buffers.depth.getReversed():e.reversedDepthBuffer,e.setRenderTarget(n,0,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,i),e.setRenderTarget(n,1,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,a),e.setRenderTarget(n,2,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,o),e.setRenderTarget(n,3,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,s),e.setRenderTarget(n,4,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,c),n.texture.mipmapsAutoUpdate=m,e.setRenderTarget(n,5,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,l),e.setRenderTarget(u,d,f),e.xr.enabled=p,n.texture.needsPMREMUpdate=!0}},ku=class extends wu{constructor(e=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=e,this.perCameraFrustumCulled=!1}},Au=`\\[\\]\\.:\\/`,ju=RegExp(`[\\[\\]\\.:\\/]`,`g`),Mu=`[^\\[\\]\\.:\\/]`,Nu=`[^`+Au.replace(`\\.`,``)+`]`,Pu=`((?:WC+[\\/:])*)`.replace(`WC`,Mu),Fu=`(WCOD+)?`.replace(`WCOD`,Nu),Iu=`(?:\\.(WC+)(?:\\[(.+)\\])?)?`.replace(`WC`,Mu),Lu=`\\.(WC+)(?:\\[(.+)\\])?`.replace(`WC`,Mu),Ru=RegExp(`^`+Pu+Fu+Iu+Lu+`$`),zu=[`material`,`materials`,`bones`,`map`],Bu=class{constructor(e,t,n){let r=n||Vu.parseTrackName(t);this._targetGroup=e,this._bindings=e.subscribe_(t,r)}getValue(e,t){this.bind();let n=this._targetGroup.nCachedObjects_,r=this._bindings[n];r!==void 0&&r.getValue(e,t)}setValue(e,t){let n=this._bindings;for(let r=this._targetGroup.nCachedObjects_,i=n.length;r!==i;++r)n[r].setValue(e,t)}bind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].bind()}unbind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].unbind()}},Vu=class e{constructor(t,n,r){this.path=n,this.parsedPath=r||e.parseTrackName(n),this.node=e.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,n,r){return t&&t.isAnimationObjectGroup?new e.Composite(t,n,r):new e(t,n,r)}static sanitizeNodeName(e){return e.replace(/\s/g,`_`).replace(ju,``)}static parseTrackName(e){let t=Ru.exec(e);if(t===null)throw Error(`THREE.PropertyBinding: Cannot parse trackName: `+e);let n={nodeName:t[2],objectName:t[3],objectIndex:t[4],propertyName:t[5],propertyIndex:t[6]},r=n.nodeName&&n.nodeName.lastIndexOf(`.`);if(r!==void 0&&r!==-1){let e=n.nodeName.substring(r+1);zu.indexOf(e)!==-1&&(n.nodeName=n.nodeName.substring(0,r),n.objectName=e)}if(n.propertyName===null||n.propertyName.length===0)throw Error(`THREE.PropertyBinding: can not parse propertyName from trackName: `+e);return n}static findNode(e,t){if(t===void 0||t===``||t===`.`||t===-1||t===e.name||t===e.uuid)return e;if(e.skeleton){let n=e.skeleton.getBoneByName(t);if(n!==void 0)return n}if(e.children){let n=function(e){for(let r=0;r<e.length;r++){let i=e[r];if(i.name===t||i.uuid===t)return i;let a=n(i.children);if(a)return a}return null},r=n(e.children);if(r)return r}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(e,t){e[t]=this.targetObject[this.propertyName]}_getValue_array(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)e[t++]=n[r]}_getValue_arrayElement(e,t){e[t]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(e,t){this.resolvedProperty.toArray(e,t)}_setValue_direct(e,t){this.targetObject[this.propertyName]=e[t]}_setValue_direct_setNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++]}_setValue_array_setNeedsUpdate(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(e,t){this.resolvedProperty[this.propertyIndex]=e[t]}_setValue_arrayElement_setNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(e,t){this.resolvedProperty.fromArray(e,t)}_setValue_fromArray_setNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(e,t){this.bind(),this.getValue(e,t)}_setValue_unbound(e,t){this.bind(),this.setValue(e,t)}bind(){let t=this.node,n=this.parsedPath,r=n.objectName,i=n.propertyName,a=n.propertyIndex;if(t||(t=e.findNode(this.rootNode,n.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){J(`PropertyBinding: No target node found for track: `+this.path+`.`);return}if(r){let e=n.objectIndex;switch(r){case`materials`:if(!t.material){Y(`PropertyBinding: Can not bind to material as node does not have a material.`,this);return}if(!t.material.materials){Y(`PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.`,this);return}t=t.material.materials;break;case`bones`:if(!t.skeleton){Y(`PropertyBinding: Can not bind to bones as node does not have a skeleton.`,this);return}t=t.skeleton.bones;for(let n=0;n<t.length;n++)if(t[n].name===e){e=n;break}break;case`map`:if(`map`in t){t=t.map;break}if(!t.material){Y(`PropertyBinding: Can not bind to material as node does not have a material.`,this);return}if(!t.material.map){Y(`PropertyBinding: Can not bind to material.map as node.material does not have a map.`,this);return}t=t.material.map;break;default:if(t[r]===void 0){Y(`PropertyBinding: Can not bind to objectName of node undefined.`,this);return}t=t[r]}if(e!==void 0){if(t[e]===void 0){Y(`PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.`,this,t);return}t=t[e]}}let o=t[i];if(o===void 0){let e=n.nodeName;Y(`PropertyBinding: Trying to update property for track: `+e+`.`+i+` but it wasn't found.`,t);return}let s=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?s=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(s=this.Versioning.MatrixWorldNeedsUpdate);let c=this.BindingType.Direct;if(a!==void 0){if(i===`morphTargetInfluences`){if(!t.geometry){Y(`PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.`,this);return}if(!t.geometry.morphAttributes){Y(`PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.`,this);return}t.morphTargetDictionary[a]!==void 0&&(a=t.morphTargetDictionary[a])}c=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=a}else o.fromArray!==void 0&&o.toArray!==void 0?(c=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(c=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=i;this.getValue=this.GetterByBindingType[c],this.setValue=this.SetterByBindingTypeAndVersioning[c][s]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};Vu.Composite=Bu,Vu.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3},Vu.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2},Vu.prototype.GetterByBindingType=[Vu.prototype._getValue_direct,Vu.prototype._getValue_array,Vu.prototype._getValue_arrayElement,Vu.prototype._getValue_toArray],Vu.prototype.SetterByBindingTypeAndVersioning=[[Vu.prototype._setValue_direct,Vu.prototype._setValue_direct_setNeedsUpdate,Vu.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[Vu.prototype._setValue_array,Vu.prototype._setValue_array_setNeedsUpdate,Vu.prototype._setValue_array_setMatrixWorldNeedsUpdate],[Vu.prototype._setValue_arrayElement,Vu.prototype._setValue_arrayElement_setNeedsUpdate,Vu.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[Vu.prototype._setValue_fromArray,Vu.prototype._setValue_fromArray_setNeedsUpdate,Vu.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]],class{static{this.prototype.isMatrix2=!0}constructor(e,t,n,r){this.elements=[1,0,0,1],e!==void 0&&this.set(e,t,n,r)}identity(){return this.set(1,0,0,1),this}fromArray(e,t=0){for(let n=0;n<4;n++)this.elements[n]=e[n+t];return this}set(e,t,n,r){let i=this.elements;return i[0]=e,i[2]=t,i[1]=n,i[3]=r,this}};function Hu(e,t,n,r){let i=Uu(r);switch(n){case pa:return e*t;case va:return e*t/i.components*i.byteLength;case ya:return e*t/i.components*i.byteLength;case ba:return e*t*2/i.components*i.byteLength;case xa:return e*t*2/i.components*i.byteLength;case ma:return e*t*3/i.components*i.byteLength;case ha:return e*t*4/i.components*i.byteLength;case Sa:return e*t*4/i.components*i.byteLength;case Ca:case wa:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*8;case Ta:case Ea:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case Oa:case Aa:return Math.max(e,16)*Math.max(t,8)/4;case Da:case ka:return Math.max(e,8)*Math.max(t,8)/2;case ja:case Ma:case Pa:case Fa:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*8;case Na:case Ia:case La:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case Ra:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case za:return Math.floor((e+4)/5)*Math.floor((t+3)/4)*16;case Ba:return Math.floor((e+4)/5)*Math.floor((t+4)/5)*16;case Va:return Math.floor((e+5)/6)*Math.floor((t+4)/5)*16;case Ha:return Math.floor((e+5)/6)*Math.floor((t+5)/6)*16;case Ua:return Math.floor((e+7)/8)*Math.floor((t+4)/5)*16;case Wa:return Math.floor((e+7)/8)*Math.floor((t+5)/6)*16;case Ga:return Math.floor((e+7)/8)*Math.floor((t+7)/8)*16;case Ka:return Math.floor((e+9)/10)*Math.floor((t+4)/5)*16;case qa:return Math.floor((e+9)/10)*Math.floor((t+5)/6)*16;case Ja:return Math.floor((e+9)/10)*Math.floor((t+7)/8)*16;case Ya:return Math.floor((e+9)/10)*Math.floor((t+9)/10)*16;case Xa:return Math.floor((e+11)/12)*Math.floor((t+9)/10)*16;case Za:return Math.floor((e+11)/12)*Math.floor((t+11)/12)*16;case Qa:case $a:case eo:return Math.ceil(e/4)*Math.ceil(t/4)*16;case to:case no:return Math.ceil(e/4)*Math.ceil(t/4)*8;case ro:case io:return Math.ceil(e/4)*Math.ceil(t/4)*16}throw Error(`Unable to determine texture byte length for ${n} format.`)}function Uu(e){switch(e){case ea:case ta:return{byteLength:1,components:1};case ra:case na:case sa:return{byteLength:2,components:1};case ca:case la:return{byteLength:2,components:4};case aa:case ia:case oa:return{byteLength:4,components:1};case da:case fa:return{byteLength:4,components:3}}throw Error(`THREE.TextureUtils: Unknown texture type ${e}.`)}typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`register`,{detail:{revision:`187`}})),typeof window<`u`&&(window.__THREE__?J(`WARNING: Multiple instances of Three.js being imported.`):window.__THREE__=`187`);function Wu(){let e=null,t=!1,n=null,r=null;function i(t,a){r=e.requestAnimationFrame(i),n(t,a)}return{start:function(){t!==!0&&n!==null&&e!==null&&(r=e.requestAnimationFrame(i),t=!0)},stop:function(){e!==null&&e.cancelAnimationFrame(r),t=!1},setAnimationLoop:function(e){n=e},setContext:function(t){e=t}}}function Gu(e){let t=new WeakMap;function n(t,n){let r=t.array,i=t.usage,a=r.byteLength,o=e.createBuffer();e.bindBuffer(n,o),e.bufferData(n,r,i),t.onUploadCallback();let s;if(r instanceof Float32Array)s=e.FLOAT;else if(typeof Float16Array<`u`&&r instanceof Float16Array)s=e.HALF_FLOAT;else if(r instanceof Uint16Array)s=t.isFloat16BufferAttribute?e.HALF_FLOAT:e.UNSIGNED_SHORT;else if(r instanceof Int16Array)s=e.SHORT;else if(r instanceof Uint32Array)s=e.UNSIGNED_INT;else if(r instanceof Int32Array)s=e.INT;else if(r instanceof Int8Array)s=e.BYTE;else if(r instanceof Uint8Array)s=e.UNSIGNED_BYTE;else if(r instanceof Uint8ClampedArray)s=e.UNSIGNED_BYTE;else throw Error(`THREE.WebGLAttributes: Unsupported buffer data format: `+r);return{buffer:o,type:s,bytesPerElement:r.BYTES_PER_ELEMENT,version:t.version,size:a}}function r(t,n,r){let i=n.array,a=n.updateRanges;if(e.bindBuffer(r,t),a.length===0)e.bufferSubData(r,0,i);else{a.sort((e,t)=>e.start-t.start);let t=0;for(let e=1;e<a.length;e++){let n=a[t],r=a[e];r.start<=n.start+n.count+1?n.count=Math.max(n.count,r.start+r.count-n.start):(++t,a[t]=r)}a.length=t+1;for(let t=0,n=a.length;t<n;t++){let n=a[t];e.bufferSubData(r,n.start*i.BYTES_PER_ELEMENT,i,n.start,n.count)}n.clearUpdateRanges()}n.onUploadCallback()}function i(e){return e.isInterleavedBufferAttribute&&(e=e.data),t.get(e)}function a(n){n.isInterleavedBufferAttribute&&(n=n.data);let r=t.get(n);r&&(e.deleteBuffer(r.buffer),t.delete(n))}function o(e,i){if(e.isInterleavedBufferAttribute&&(e=e.data),e.isGLBufferAttribute){let n=t.get(e);(!n||n.version<e.version)&&t.set(e,{buffer:e.buffer,type:e.type,bytesPerElement:e.elementSize,version:e.version});return}let a=t.get(e);if(a===void 0)t.set(e,n(e,i));else if(a.version<e.version){if(a.size!==e.array.byteLength)throw Error(`THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.`);r(a.buffer,e,i),a.version=e.version}}return{get:i,remove:a,update:o}}var Q={alphahash_fragment:`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,alphahash_pars_fragment:`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,alphamap_fragment:`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,alphamap_pars_fragment:`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,alphatest_fragment:`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,alphatest_pars_fragment:`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,aomap_fragment:`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,aomap_pars_fragment:`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,batching_pars_vertex:`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,batching_vertex:`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,begin_vertex:`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,beginnormal_vertex:`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,bsdfs:`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,iridescence_fragment:`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,bumpmap_pars_fragment:`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,clipping_planes_fragment:`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,clipping_planes_pars_fragment:`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,clipping_planes_pars_vertex:`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,clipping_planes_vertex:`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,color_fragment:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,color_pars_fragment:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,color_pars_vertex:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,color_vertex:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,common:`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,defaultnormal_vertex:`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,displacementmap_pars_vertex:`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,displacementmap_vertex:`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,emissivemap_fragment:`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,emissivemap_pars_fragment:`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,colorspace_fragment:`gl_FragColor = linearToOutputTexel( gl_FragColor );`,colorspace_pars_fragment:`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,envmap_fragment:`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,envmap_common_pars_fragment:`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,envmap_pars_fragment:`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,envmap_pars_vertex:`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,envmap_physical_pars_fragment:`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,envmap_vertex:`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,fog_vertex:`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,fog_pars_vertex:`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,fog_fragment:`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,fog_pars_fragment:`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,gradientmap_pars_fragment:`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,lightmap_pars_fragment:`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,lights_lambert_fragment:`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,lights_lambert_pars_fragment:`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,lights_pars_begin:`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,lights_toon_fragment:`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,lights_toon_pars_fragment:`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,lights_phong_fragment:`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,lights_phong_pars_fragment:`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,lights_physical_fragment:`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,lights_physical_pars_fragment:`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,lights_fragment_begin:`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,lights_fragment_maps:`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,lights_fragment_end:`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,lightprobes_pars_fragment:`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,logdepthbuf_fragment:`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,logdepthbuf_pars_fragment:`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,logdepthbuf_pars_vertex:`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,logdepthbuf_vertex:`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,map_fragment:`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,map_pars_fragment:`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,map_particle_fragment:`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,map_particle_pars_fragment:`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,metalnessmap_fragment:`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,metalnessmap_pars_fragment:`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,morphinstance_vertex:`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,morphcolor_vertex:`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,morphnormal_vertex:`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,morphtarget_pars_vertex:`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,morphtarget_vertex:`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,normal_fragment_begin:`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,normal_fragment_maps:`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,normal_pars_fragment:`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,normal_pars_vertex:`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,normal_vertex:`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,normalmap_pars_fragment:`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,clearcoat_normal_fragment_begin:`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,clearcoat_normal_fragment_maps:`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,clearcoat_pars_fragment:`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,iridescence_pars_fragment:`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,opaque_fragment:`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,packing:`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,premultiplied_alpha_fragment:`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,project_vertex:`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,dithering_fragment:`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,dithering_pars_fragment:`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,roughnessmap_fragment:`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,roughnessmap_pars_fragment:`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,shadowmap_pars_fragment:`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,shadowmap_pars_vertex:`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,shadowmap_vertex:`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,shadowmask_pars_fragment:`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,skinbase_vertex:`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,skinning_pars_vertex:`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,skinning_vertex:`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,skinnormal_vertex:`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,specularmap_fragment:`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,specularmap_pars_fragment:`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,tonemapping_fragment:`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,tonemapping_pars_fragment:`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,transmission_fragment:`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,transmission_pars_fragment:`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,uv_pars_fragment:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,uv_pars_vertex:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,uv_vertex:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,worldpos_vertex:`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,background_vert:`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,background_frag:`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,backgroundCube_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,backgroundCube_frag:`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,cube_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,cube_frag:`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,depth_vert:`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,depth_frag:`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,distance_vert:`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,distance_frag:`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,equirect_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,equirect_frag:`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,linedashed_vert:`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,linedashed_frag:`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,meshbasic_vert:`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,meshbasic_frag:`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshlambert_vert:`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshlambert_frag:`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshmatcap_vert:`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,meshmatcap_frag:`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshnormal_vert:`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,meshnormal_frag:`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,meshphong_vert:`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshphong_frag:`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshphysical_vert:`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,meshphysical_frag:`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshtoon_vert:`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshtoon_frag:`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,points_vert:`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,points_frag:`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,shadow_vert:`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,shadow_frag:`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,sprite_vert:`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,sprite_frag:`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`},$={common:{diffuse:{value:new Xs(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new Z},alphaMap:{value:null},alphaMapTransform:{value:new Z},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new Z}},envmap:{envMap:{value:null},envMapRotation:{value:new Z},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new Z}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new Z}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new Z},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new Z},normalScale:{value:new Go(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new Z},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new Z}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new Z}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new Z}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Xs(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new Xs(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new Z},alphaTest:{value:0},uvTransform:{value:new Z}},sprite:{diffuse:{value:new Xs(16777215)},opacity:{value:1},center:{value:new Go(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new Z},alphaMap:{value:null},alphaMapTransform:{value:new Z},alphaTest:{value:0}}},Ku={basic:{uniforms:Bl([$.common,$.specularmap,$.envmap,$.aomap,$.lightmap,$.fog]),vertexShader:Q.meshbasic_vert,fragmentShader:Q.meshbasic_frag},lambert:{uniforms:Bl([$.common,$.specularmap,$.envmap,$.aomap,$.lightmap,$.emissivemap,$.bumpmap,$.normalmap,$.displacementmap,$.fog,$.lights,{emissive:{value:new Xs(0)},envMapIntensity:{value:1}}]),vertexShader:Q.meshlambert_vert,fragmentShader:Q.meshlambert_frag},phong:{uniforms:Bl([$.common,$.specularmap,$.envmap,$.aomap,$.lightmap,$.emissivemap,$.bumpmap,$.normalmap,$.displacementmap,$.fog,$.lights,{emissive:{value:new Xs(0)},specular:{value:new Xs(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:Q.meshphong_vert,fragmentShader:Q.meshphong_frag},standard:{uniforms:Bl([$.common,$.envmap,$.aomap,$.lightmap,$.emissivemap,$.bumpmap,$.normalmap,$.displacementmap,$.roughnessmap,$.metalnessmap,$.fog,$.lights,{emissive:{value:new Xs(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:Q.meshphysical_vert,fragmentShader:Q.meshphysical_frag},toon:{uniforms:Bl([$.common,$.aomap,$.lightmap,$.emissivemap,$.bumpmap,$.normalmap,$.displacementmap,$.gradientmap,$.fog,$.lights,{emissive:{value:new Xs(0)}}]),vertexShader:Q.meshtoon_vert,fragmentShader:Q.meshtoon_frag},matcap:{uniforms:Bl([$.common,$.bumpmap,$.normalmap,$.displacementmap,$.fog,{matcap:{value:null}}]),vertexShader:Q.meshmatcap_vert,fragmentShader:Q.meshmatcap_frag},points:{uniforms:Bl([$.points,$.fog]),vertexShader:Q.points_vert,fragmentShader:Q.points_frag},dashed:{uniforms:Bl([$.common,$.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:Q.linedashed_vert,fragmentShader:Q.linedashed_frag},depth:{uniforms:Bl([$.common,$.displacementmap]),vertexShader:Q.depth_vert,fragmentShader:Q.depth_frag},normal:{uniforms:Bl([$.common,$.bumpmap,$.normalmap,$.displacementmap,{opacity:{value:1}}]),vertexShader:Q.meshnormal_vert,fragmentShader:Q.meshnormal_frag},sprite:{uniforms:Bl([$.sprite,$.fog]),vertexShader:Q.sprite_vert,fragmentShader:Q.sprite_frag},background:{uniforms:{uvTransform:{value:new Z},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:Q.background_vert,fragmentShader:Q.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new Z}},vertexShader:Q.backgroundCube_vert,fragmentShader:Q.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:Q.cube_vert,fragmentShader:Q.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:Q.equirect_vert,fragmentShader:Q.equirect_frag},distance:{uniforms:Bl([$.common,$.displacementmap,{referencePosition:{value:new X},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:Q.distance_vert,fragmentShader:Q.distance_frag},shadow:{uniforms:Bl([$.lights,$.fog,{color:{value:new Xs(0)},opacity:{value:1}}]),vertexShader:Q.shadow_vert,fragmentShader:Q.shadow_frag}};Ku.physical={uniforms:Bl([Ku.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new Z},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new Z},clearcoatNormalScale:{value:new Go(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new Z},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new Z},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new Z},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new Z},sheen:{value:0},sheenColor:{value:new Xs(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new Z},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new Z},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new Z},transmissionSamplerSize:{value:new Go},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new Z},attenuationDistance:{value:0},attenuationColor:{value:new Xs(0)},specularColor:{value:new Xs(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new Z},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new Z},anisotropyVector:{value:new Go},anisotropyMap:{value:null},anisotropyMapTransform:{value:new Z}}]),vertexShader:Q.meshphysical_vert,fragmentShader:Q.meshphysical_frag};var qu={r:0,b:0,g:0},Ju=new hs,Yu=new Z;Yu.set(-1,0,0,0,1,0,0,0,1);function Xu(e,t,n,r,i,a){let o=new Xs(0),s=i===!0?0:1,c,l,u=null,d=0,f=null;function p(e){let n=e.isScene===!0?e.background:null;if(n&&n.isTexture){let r=e.backgroundBlurriness>0;n=t.get(n,r)}return n}function m(t){let r=!1,i=p(t);i===null?g(o,s):i&&i.isColor&&(g(i,1),r=!0);let c=e.xr.getEnvironmentBlendMode();c===`additive`?n.buffers.color.setClear(0,0,0,1,a):c===`alpha-blend`&&n.buffers.color.setClear(0,0,0,0,a),(e.autoClear||r)&&(n.buffers.depth.setTest(!0),n.buffers.depth.setMask(!0),n.buffers.color.setMask(!0),e.clear(e.autoClearColor,e.autoClearDepth,e.autoClearStencil))}function h(t,n){let i=p(n);i&&i.isCubeTexture?(l===void 0&&(l=new gl(new Ll(1,1,1),new ql({name:`BackgroundCubeMaterial`,uniforms:zl(Ku.backgroundCube.uniforms),vertexShader:Ku.backgroundCube.vertexShader,fragmentShader:Ku.backgroundCube.fragmentShader,side:1,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute(`normal`),l.geometry.deleteAttribute(`uv`),l.onBeforeRender=function(e,t,n){this.matrixWorld.copyPosition(n.matrixWorld)},Object.defineProperty(l.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),r.update(l)),l.material.uniforms.envMap.value=i,l.material.uniforms.backgroundBlurriness.value=n.backgroundBlurriness,l.material.uniforms.backgroundIntensity.value=n.backgroundIntensity,l.material.uniforms.backgroundRotation.value.setFromMatrix4(Ju.makeRotationFromEuler(n.backgroundRotation)).transpose(),i.isRenderTargetTexture===!1&&l.material.uniforms.backgroundRotation.value.premultiply(Yu),l.material.toneMapped=$o.getTransfer(i.colorSpace)!==_o,(u!==i||d!==i.version||f!==e.toneMapping)&&(l.material.needsUpdate=!0,u=i,d=i.version,f=e.toneMapping),l.layers.enableAll(),t.unshift(l,l.geometry,l.material,0,0,null)):i&&i.isTexture&&(c===void 0&&(c=new gl(new Rl(2,2),new ql({name:`BackgroundMaterial`,uniforms:zl(Ku.background.uniforms),vertexShader:Ku.background.vertexShader,fragmentShader:Ku.background.fragmentShader,side:0,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute(`normal`),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),r.update(c)),c.material.uniforms.t2D.value=i,c.material.uniforms.backgroundIntensity.value=n.backgroundIntensity,c.material.toneMapped=$o.getTransfer(i.colorSpace)!==_o,i.matrixAutoUpdate===!0&&i.updateMatrix(),c.material.uniforms.uvTransform.value.copy(i.matrix),(u!==i||d!==i.version||f!==e.toneMapping)&&(c.material.needsUpdate=!0,u=i,d=i.version,f=e.toneMapping),c.layers.enableAll(),t.unshift(c,c.geometry,c.material,0,0,null))}function g(t,r){t.getRGB(qu,Ul(e)),n.buffers.color.setClear(qu.r,qu.g,qu.b,r,a)}function _(){l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0),c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0)}return{getClearColor:function(){return o},setClearColor:function(e,t=1){o.set(e),s=t,g(o,s)},getClearAlpha:function(){return s},setClearAlpha:function(e){s=e,g(o,s)},render:m,addToRenderList:h,dispose:_}}function Zu(e,t){let n=e.getParameter(e.MAX_VERTEX_ATTRIBS),r={},i=f(null),a=i,o=!1;function s(n,r,i,s,c){let u=!1,f=d(n,s,i,r);a!==f&&(a=f,l(a.object)),u=p(n,s,i,c),u&&m(n,s,i,c),c!==null&&t.update(c,e.ELEMENT_ARRAY_BUFFER),(u||o)&&(o=!1,b(n,r,i,s),c!==null&&e.bindBuffer(e.ELEMENT_ARRAY_BUFFER,t.get(c).buffer))}function c(){return e.createVertexArray()}function l(t){return e.bindVertexArray(t)}function u(t){return e.deleteVertexArray(t)}function d(e,t,n,i){let a=i.wireframe===!0,o=r[t.id];o===void 0&&(o={},r[t.id]=o);let s=e.isInstancedMesh===!0?e.id:0,l=o[s];l===void 0&&(l={},o[s]=l);let u=l[n.id];u===void 0&&(u={},l[n.id]=u);let d=u[a];return d===void 0&&(d=f(c()),u[a]=d),d}function f(e){let t=[],r=[],i=[];for(let e=0;e<n;e++)t[e]=0,r[e]=0,i[e]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:t,enabledAttributes:r,attributeDivisors:i,object:e,attributes:{},index:null}}function p(e,t,n,r){let i=a.attributes,o=t.attributes,s=0,c=n.getAttributes();for(let t in c)if(c[t].location>=0){let n=i[t],r=o[t];if(r===void 0&&(t===`instanceMatrix`&&e.instanceMatrix&&(r=e.instanceMatrix),t===`instanceColor`&&e.instanceColor&&(r=e.instanceColor)),n===void 0||n.attribute!==r||r&&n.data!==r.data)return!0;s++}return a.attributesNum!==s||a.index!==r}function m(e,t,n,r){let i={},o=t.attributes,s=0,c=n.getAttributes();for(let t in c)if(c[t].location>=0){let n=o[t];n===void 0&&(t===`instanceMatrix`&&e.instanceMatrix&&(n=e.instanceMatrix),t===`instanceColor`&&e.instanceColor&&(n=e.instanceColor));let r={};r.attribute=n,n&&n.data&&(r.data=n.data),i[t]=r,s++}a.attributes=i,a.attributesNum=s,a.index=r}function h(){let e=a.newAttributes;for(let t=0,n=e.length;t<n;t++)e[t]=0}function g(e){_(e,0)}function _(t,n){let r=a.newAttributes,i=a.enabledAttributes,o=a.attributeDivisors;r[t]=1,i[t]===0&&(e.enableVertexAttribArray(t),i[t]=1),o[t]!==n&&(e.vertexAttribDivisor(t,n),o[t]=n)}function v(){let t=a.newAttributes,n=a.enabledAttributes;for(let r=0,i=n.length;r<i;r++)n[r]!==t[r]&&(e.disableVertexAttribArray(r),n[r]=0)}function y(t,n,r,i,a,o,s){s===!0?e.vertexAttribIPointer(t,n,r,a,o):e.vertexAttribPointer(t,n,r,i,a,o)}function b(n,r,i,a){h();let o=a.attributes,s=i.getAttributes(),c=r.defaultAttributeValues;for(let r in s){let i=s[r];if(i.location>=0){let s=o[r];if(s===void 0&&(r===`instanceMatrix`&&n.instanceMatrix&&(s=n.instanceMatrix),r===`instanceColor`&&n.instanceColor&&(s=n.instanceColor)),s!==void 0){let r=s.normalized,o=s.itemSize,c=t.get(s);if(c===void 0)continue;let l=c.buffer,u=c.type,d=c.bytesPerElement,f=u===e.INT||u===e.UNSIGNED_INT||s.gpuType===1013;if(s.isInterleavedBufferAttribute){let t=s.data,c=t.isInterleavedBuffer===!0?t.stride:t.itemSize,p=s.offset;if(t.isInstancedInterleavedBuffer||t.isInstancedBufferAttribute){for(let e=0;e<i.locationSize;e++)_(i.location+e,t.meshPerAttribute);n.isInstancedMesh!==!0&&a._maxInstanceCount===void 0&&(a._maxInstanceCount=t.meshPerAttribute*t.count)}else for(let e=0;e<i.locationSize;e++)g(i.location+e);e.bindBuffer(e.ARRAY_BUFFER,l);for(let e=0;e<i.locationSize;e++)y(i.location+e,o/i.locationSize,u,r,c*d,(p+o/i.locationSize*e)*d,f)}else{if(s.isInstancedBufferAttribute){for(let e=0;e<i.locationSize;e++)_(i.location+e,s.meshPerAttribute);n.isInstancedMesh!==!0&&a._maxInstanceCount===void 0&&(a._maxInstanceCount=s.meshPerAttribute*s.count)}else for(let e=0;e<i.locationSize;e++)g(i.location+e);e.bindBuffer(e.ARRAY_BUFFER,l);for(let e=0;e<i.locationSize;e++)y(i.location+e,o/i.locationSize,u,r,o*d,o/i.locationSize*e*d,f)}}else if(c!==void 0){let t=c[r];if(t!==void 0)switch(t.length){case 2:e.vertexAttrib2fv(i.location,t);break;case 3:e.vertexAttrib3fv(i.location,t);break;case 4:e.vertexAttrib4fv(i.location,t);break;default:e.vertexAttrib1fv(i.location,t)}}}}v()}function x(){T();for(let e in r){let t=r[e];for(let e in t){let n=t[e];for(let e in n){let t=n[e];for(let e in t)u(t[e].object),delete t[e];delete n[e]}}delete r[e]}}function S(e){if(r[e.id]===void 0)return;let t=r[e.id];for(let e in t){let n=t[e];for(let e in n){let t=n[e];for(let e in t)u(t[e].object),delete t[e];delete n[e]}}delete r[e.id]}function C(e){for(let t in r){let n=r[t];for(let t in n){let r=n[t];if(r[e.id]===void 0)continue;let i=r[e.id];for(let e in i)u(i[e].object),delete i[e];delete r[e.id]}}}function w(e){for(let t in r){let n=r[t],i=e.isInstancedMesh===!0?e.id:0,a=n[i];if(a!==void 0){for(let e in a){let t=a[e];for(let e in t)u(t[e].object),delete t[e];delete a[e]}delete n[i],Object.keys(n).length===0&&delete r[t]}}}function T(){E(),o=!0,a!==i&&(a=i,l(a.object))}function E(){i.geometry=null,i.program=null,i.wireframe=!1}return{setup:s,reset:T,resetDefaultState:E,dispose:x,releaseStatesOfGeometry:S,releaseStatesOfObject:w,releaseStatesOfProgram:C,initAttributes:h,enableAttribute:g,disableUnusedAttributes:v}}function Qu(e,t,n){let r;function i(e){r=e}function a(t,i){e.drawArrays(r,t,i),n.update(i,r,1)}function o(t,i,a){a!==0&&(e.drawArraysInstanced(r,t,i,a),n.update(i,r,a))}function s(e,i,a){if(a===0)return;t.get(`WEBGL_multi_draw`).multiDrawArraysWEBGL(r,e,0,i,0,a);let o=0;for(let e=0;e<a;e++)o+=i[e];n.update(o,r,1)}this.setMode=i,this.render=a,this.renderInstances=o,this.renderMultiDraw=s}function $u(e,t,n,r){let i;function a(){if(i!==void 0)return i;if(t.has(`EXT_texture_filter_anisotropic`)===!0){let n=t.get(`EXT_texture_filter_anisotropic`);i=e.getParameter(n.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else i=0;return i}function o(t){return t===1023||r.convert(t)===e.getParameter(e.IMPLEMENTATION_COLOR_READ_FORMAT)}function s(n){let i=n===1016&&(t.has(`EXT_color_buffer_half_float`)||t.has(`EXT_color_buffer_float`));return!(n!==1009&&n!==1015&&!i&&r.convert(n)!==e.getParameter(e.IMPLEMENTATION_COLOR_READ_TYPE))}function c(t){if(t===`highp`){if(e.getShaderPrecisionFormat(e.VERTEX_SHADER,e.HIGH_FLOAT).precision>0&&e.getShaderPrecisionFormat(e.FRAGMENT_SHADER,e.HIGH_FLOAT).precision>0)return`highp`;t=`mediump`}return t===`mediump`&&e.getShaderPrecisionFormat(e.VERTEX_SHADER,e.MEDIUM_FLOAT).precision>0&&e.getShaderPrecisionFormat(e.FRAGMENT_SHADER,e.MEDIUM_FLOAT).precision>0?`mediump`:`lowp`}let l=n.precision===void 0?`highp`:n.precision,u=c(l);u!==l&&(J(`WebGLRenderer:`,l,`not supported, using`,u,`instead.`),l=u);let d=n.reversedDepthBuffer===!0&&t.has(`EXT_clip_control`),f=n.logarithmicDepthBuffer===!0&&d===!1;n.reversedDepthBuffer===!0&&d===!1&&J(`WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer.`),n.logarithmicDepthBuffer===!0&&d===!0&&J(`WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.`);let p=e.getParameter(e.MAX_TEXTURE_IMAGE_UNITS),m=e.getParameter(e.MAX_VERTEX_TEXTURE_IMAGE_UNITS),h=e.getParameter(e.MAX_TEXTURE_SIZE),g=e.getParameter(e.MAX_CUBE_MAP_TEXTURE_SIZE),_=e.getParameter(e.MAX_VERTEX_ATTRIBS),v=e.getParameter(e.MAX_VERTEX_UNIFORM_VECTORS),y=e.getParameter(e.MAX_VARYING_VECTORS),b=e.getParameter(e.MAX_FRAGMENT_UNIFORM_VECTORS),x=e.getParameter(e.MAX_SAMPLES),S=e.getParameter(e.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:a,getMaxPrecision:c,textureFormatReadable:o,textureTypeReadable:s,precision:l,logarithmicDepthBuffer:f,reversedDepthBuffer:d,maxTextures:p,maxVertexTextures:m,maxTextureSize:h,maxCubemapSize:g,maxAttributes:_,maxVertexUniforms:v,maxVaryings:y,maxFragmentUniforms:b,maxSamples:x,samples:S}}function ed(e){let t=this,n=null,r=0,i=!1,a=!1,o=new Xc,s=new Z,c={value:null,needsUpdate:!1};this.uniform=c,this.numPlanes=0,this.numIntersection=0,this.init=function(e,t){let n=e.length!==0||t||r!==0||i;return i=t,r=e.length,n},this.beginShadows=function(){a=!0,u(null)},this.endShadows=function(){a=!1},this.setGlobalState=function(e,t){n=u(e,t,0)},this.setState=function(t,o,s){let d=t.clippingPlanes,f=t.clipIntersection,p=t.clipShadows,m=e.get(t);if(!i||d===null||d.length===0||a&&!p)a?u(null):l();else{let e=a?0:r,t=e*4,i=m.clippingState||null;c.value=i,i=u(d,o,t,s);for(let e=0;e!==t;++e)i[e]=n[e];m.clippingState=i,this.numIntersection=f?this.numPlanes:0,this.numPlanes+=e}};function l(){c.value!==n&&(c.value=n,c.needsUpdate=r>0),t.numPlanes=r,t.numIntersection=0}function u(e,n,r,i){let a=e===null?0:e.length,l=null;if(a!==0){if(l=c.value,i!==!0||l===null){let t=r+a*4,i=n.matrixWorldInverse;s.getNormalMatrix(i),(l===null||l.length<t)&&(l=new Float32Array(t));for(let t=0,n=r;t!==a;++t,n+=4)o.copy(e[t]).applyMatrix4(i,s),o.normal.toArray(l,n),l[n+3]=o.constant}c.value=l,c.needsUpdate=!0}return t.numPlanes=a,t.numIntersection=0,l}}var td=class extends fs{constructor(e=1,t={}){super(e,e,t),this.isWebGLCubeRenderTarget=!0;let n={width:e,height:e,depth:1},r=[n,n,n,n,n,n];this.texture=new Nl(r),this._setTextureOptions(t),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(e,t){this.texture.type=t.type,this.texture.colorSpace=t.colorSpace,this.texture.generateMipmaps=t.generateMipmaps,this.texture.minFilter=t.minFilter,this.texture.magFilter=t.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},r=new Ll(5,5,5),i=new ql({name:`CubemapFromEquirect`,uniforms:zl(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:1,blending:0});i.uniforms.tEquirect.value=t;let a=new gl(r,i),o=t.minFilter;return t.minFilter===1008&&(t.minFilter=Zi),new Ou(1,10,this).update(e,a),t.minFilter=o,a.geometry.dispose(),a.material.dispose(),this}clear(e,t=!0,n=!0,r=!0){let i=e.getRenderTarget();for(let i=0;i<6;i++)e.setRenderTarget(this,i),e.clear(t,n,r);e.setRenderTarget(i)}},nd=256,rd=3,id=20,ad=256,od=16,sd=3,cd=new X,ld=new Xs,ud=class e{constructor(e){this._renderer=e,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new Ou(1,10,null),this._boxMesh=new gl(new Ll(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(e,t=0,n=.1,r=100,i={}){let{size:a=256,position:o=cd}=i,s=this._renderer;this._setSize(a);let c=this._allocateTarget(),l=this._getSourceTarget(!0);t>0&&(l.texture.mipmapsAutoUpdate=!1);let u=s.autoClear,d=s.autoClearColor,f=s.autoClearDepth,p=s.autoClearStencil,m=e.background;s.autoClear=!0,s.autoClearColor=!0,s.autoClearDepth=!0,s.autoClearStencil=!0,m===null&&(e.background=s.getClearColor(ld));let h=new Ou(n,r,l);return h.position.copy(o),h.update(s,e),s.autoClear=u,s.autoClearColor=d,s.autoClearDepth=f,s.autoClearStencil=p,e.background=m,t>0&&(l.texture.mipmapsAutoUpdate=!0,this._blur(c,t)),this._applyPMREM(c),c}fromEquirectangular(e,t=null){return this._fromTexture(e,t)}fromCubemap(e,t=null){return this._fromTexture(e,t)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=_d(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=gd(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(e,t){return t>0?1-Math.sqrt(1-e/t):0}_setSize(e){this._cubeSize=Math.max(nd,Vo(e))}_fromTexture(e,t){e.mapping===301||e.mapping===302?this._setSize(e.image.length===0?nd:e.image[0].width||e.image[0].image.width):this._setSize(e.image.width/4);let n=t||this._allocateTarget();return this._textureToCubemap(e),this._applyPMREM(n),n}_allocateTarget(){let e=this._cubeSize,t=dd(e,!1,!1),n=Math.log2(e)-rd;for(let r=0;r<=n;r++)t.texture.mipmaps.push({width:e>>r,height:e>>r});return t.texture.name=`PMREM`,t.texture.isPMREMTexture=!0,t}_getSourceTarget(e=!1){let t=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==t||e&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=dd(t,!0,e)),this._sourceTarget}_compileMaterial(e){this._boxMesh.material=e,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(e,t,n){let r=this._boxMesh,i=this._cubeCamera;r.material=n,i.renderTarget=e,i.activeMipmapLevel=t;let a=e.width>>t;e.viewport.set(0,0,a,a),i.update(this._renderer,r),e.viewport.set(0,0,e.width,e.height)}_textureToCubemap(e){let t;e.mapping===301||e.mapping===302?(this._cubemapMaterial===null&&(this._cubemapMaterial=_d()),t=this._cubemapMaterial,t.uniforms.flipEnvMap.value=e.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=gd()),t=this._equirectMaterial),t.uniforms.envMap.value=e,this._renderCube(this._getSourceTarget(),0,t)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=pd(),this._integrationMaterial=md());let n=this._cubeSize,r=t.texture.mipmaps.length-1,i=this._ggxMaterial.uniforms;i.envMap.value=this._sourceTarget.texture;let a=this._integrationMaterial.uniforms;a.envMap.value=this._sourceTarget.texture,a.sourceLod.value=Math.log2(n/od);for(let o=0;o<=r;o++){let s=e.lodToRoughness(o,r);if(o>r-sd)a.roughness.value=s,this._renderCube(t,o,this._integrationMaterial);else{let e=s>0?Math.log2(n)+.5*Math.log2(6/(ad*s**4))+.5:0;i.roughness.value=s,i.lodBias.value=e,this._renderCube(t,o,this._ggxMaterial)}}}_blur(e,t){this._blurMaterial===null&&(this._blurMaterial=hd());let n=this._blurMaterial,r=n.uniforms,i=this._sourceTarget;r.sigma.value=Math.min(t,Math.PI)/Math.SQRT2,r.envMap.value=i.texture,this._renderCube(e,0,n),r.envMap.value=e.texture,this._renderCube(i,0,n)}};function dd(e,t,n){return new td(e,{minFilter:$i,generateMipmaps:t,type:sa,colorSpace:ho,depthBuffer:n})}function fd(e,t,n){return new ql({name:e,uniforms:t,vertexShader:Q.cube_vert,fragmentShader:n,side:1,blending:0,depthTest:!1,depthWrite:!1})}function pd(){return fd(`PMREMGGXConvolution`,{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${ad}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function md(){return fd(`PMREMGGXIntegration`,{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:od}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function hd(){return fd(`PMREMSphericalGaussianBlur`,{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${id}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function gd(){return fd(`PMREMEquirectangularToCubemap`,{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function _d(){return fd(`PMREMCubemapToCubemap`,{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function vd(e){let t=new WeakMap,n=new WeakMap,r=null;function i(e,t=!1){return e==null?null:t?o(e):a(e)}function a(n){if(n&&n.isTexture){let r=n.mapping;if(r===303||r===304){if(t.has(n)){let e=t.get(n).texture;return s(e,n.mapping)}{let r=n.image;if(r&&r.height>0){let i=new td(r.height);return i.fromEquirectangularTexture(e,n),t.set(n,i),n.addEventListener(`dispose`,l),s(i.texture,n.mapping)}return null}}}return n}function o(t){if(t&&t.isTexture&&t.isPMREMTexture!==!0){let i=t.mapping,a=i===303||i===304,o=i===301||i===302;if(a||o){let i=n.get(t),s=i===void 0?0:i.texture.pmremVersion;if(t.isRenderTargetTexture&&t.pmremVersion!==s)return r===null&&(r=new ud(e)),i=a?r.fromEquirectangular(t,i):r.fromCubemap(t,i),i.texture.pmremVersion=t.pmremVersion,n.set(t,i),i.texture;if(i!==void 0)return i.texture;{let s=t.image;return a&&s&&s.height>0||o&&s&&c(s)?(r===null&&(r=new ud(e)),i=a?r.fromEquirectangular(t):r.fromCubemap(t),i.texture.pmremVersion=t.pmremVersion,n.set(t,i),t.addEventListener(`dispose`,u),i.texture):null}}}return t}function s(e,t){return t===303?e.mapping=301:t===304&&(e.mapping=302),e}function c(e){let t=0;for(let n=0;n<6;n++)e[n]!==void 0&&t++;return t===6}function l(e){let n=e.target;n.removeEventListener(`dispose`,l);let r=t.get(n);r!==void 0&&(t.delete(n),r.dispose())}function u(e){let t=e.target;t.removeEventListener(`dispose`,u);let r=n.get(t);r!==void 0&&(n.delete(t),r.dispose())}function d(){t=new WeakMap,n=new WeakMap,r!==null&&(r.dispose(),r=null)}return{get:i,dispose:d}}function yd(e){let t={};function n(n){if(t[n]!==void 0)return t[n];let r=e.getExtension(n);return t[n]=r,r}return{has:function(e){return n(e)!==null},init:function(){n(`EXT_color_buffer_float`),n(`WEBGL_clip_cull_distance`),n(`OES_texture_float_linear`),n(`EXT_color_buffer_half_float`),n(`WEBGL_multisampled_render_to_texture`),n(`WEBGL_render_shared_exponent`)},get:function(e){let t=n(e);return t===null&&Ao(`WebGLRenderer: `+e+` extension not supported.`),t}}}function bd(e,t,n,r){let i={},a=new WeakMap,o=new FinalizationRegistry(e=>delete i[e]);function s(e){c(e.target)}function c(e){e.index!==null&&t.remove(e.index);for(let n in e.attributes)t.remove(e.attributes[n]);e.removeEventListener(`dispose`,s),delete i[e.id],o.unregister(e);let c=a.get(e);c&&(t.remove(c),a.delete(e)),r.releaseStatesOfGeometry(e),e.isInstancedBufferGeometry===!0&&delete e._maxInstanceCount,n.memory.geometries--}function l(e,t){return i[t.id]===void 0&&(t.addEventListener(`dispose`,s),i[t.id]=new WeakRef(t),o.register(t,t.id,t),n.memory.geometries++),t}function u(n){let r=n.attributes;for(let n in r)t.update(r[n],e.ARRAY_BUFFER)}function d(e){let n=e.index,r=e.attributes.position,i=0;if(r===void 0)return;let o=n===null?r.array.length/3-1:n.array.length,s=new(r.count>=65535?Nc:Mc)(Math.ceil(o/3)*6,1),c=s.array;if(n!==null){let e=n.array;i=n.version;for(let t=0,n=0;t<o;t+=3){let r=e[t+0],i=e[t+1],a=e[t+2];c[n++]=r,c[n++]=i,c[n++]=i,c[n++]=a,c[n++]=a,c[n++]=r}}else{i=r.version;for(let e=0,t=0;e<o;e+=3){let n=e+0,r=e+1,i=e+2;c[t++]=n,c[t++]=r,c[t++]=r,c[t++]=i,c[t++]=i,c[t++]=n}}s.version=i;let l=a.get(e);l&&t.remove(l),a.set(e,s)}function f(e){let t=a.get(e);if(t){let n=e.index;n!==null&&t.version<n.version&&d(e)}else d(e);return a.get(e)}function p(){for(let e in i){let t=i[e].deref();t!==void 0&&c(t)}}return{get:l,update:u,getWireframeAttribute:f,dispose:p}}function xd(e,t,n){let r;function i(e){r=e}let a,o;function s(e){a=e.type,o=e.bytesPerElement}function c(t,i){e.drawElements(r,i,a,t*o),n.update(i,r,1)}function l(t,i,s){s!==0&&(e.drawElementsInstanced(r,i,a,t*o,s),n.update(i,r,s))}function u(e,i,o){if(o===0)return;t.get(`WEBGL_multi_draw`).multiDrawElementsWEBGL(r,i,0,a,e,0,o);let s=0;for(let e=0;e<o;e++)s+=i[e];n.update(s,r,1)}this.setMode=i,this.setIndex=s,this.render=c,this.renderInstances=l,this.renderMultiDraw=u}function Sd(e){let t={geometries:0,textures:0},n={frame:0,calls:0,triangles:0,points:0,lines:0};function r(t,r,i){switch(n.calls++,r){case e.TRIANGLES:n.triangles+=t/3*i;break;case e.LINES:n.lines+=t/2*i;break;case e.LINE_STRIP:n.lines+=i*(t-1);break;case e.LINE_LOOP:n.lines+=i*t;break;case e.POINTS:n.points+=i*t;break;default:Y(`WebGLInfo: Unknown draw mode:`,r)}}function i(){n.calls=0,n.triangles=0,n.points=0,n.lines=0}return{memory:t,render:n,programs:null,autoReset:!0,reset:i,update:r}}function Cd(e,t,n){let r=new WeakMap,i=new us;function a(a,o,s){let c=a.morphTargetInfluences,l=o.morphAttributes.position||o.morphAttributes.normal||o.morphAttributes.color,u=l===void 0?0:l.length,d=r.get(o);if(d===void 0||d.count!==u){d!==void 0&&d.texture.dispose();let e=o.morphAttributes.position!==void 0,n=o.morphAttributes.normal!==void 0,a=o.morphAttributes.color!==void 0,s=o.morphAttributes.position||[],c=o.morphAttributes.normal||[],l=o.morphAttributes.color||[],f=0;e===!0&&(f=1),n===!0&&(f=2),a===!0&&(f=3);let p=o.attributes.position.count*f,m=1;p>t.maxTextureSize&&(m=Math.ceil(p/t.maxTextureSize),p=t.maxTextureSize);let h=new Float32Array(p*m*4*u),g=new ps(h,p,m,u);g.type=oa,g.needsUpdate=!0;let _=f*4;for(let t=0;t<u;t++){let r=s[t],o=c[t],u=l[t],d=p*m*4*t;for(let t=0;t<r.count;t++){let s=t*_;e===!0&&(i.fromBufferAttribute(r,t),h[d+s+0]=i.x,h[d+s+1]=i.y,h[d+s+2]=i.z,h[d+s+3]=0),n===!0&&(i.fromBufferAttribute(o,t),h[d+s+4]=i.x,h[d+s+5]=i.y,h[d+s+6]=i.z,h[d+s+7]=0),a===!0&&(i.fromBufferAttribute(u,t),h[d+s+8]=i.x,h[d+s+9]=i.y,h[d+s+10]=i.z,h[d+s+11]=u.itemSize===4?i.w:1)}}d={count:u,texture:g,size:new Go(p,m)},r.set(o,d);function v(){g.dispose(),r.delete(o),o.removeEventListener(`dispose`,v)}o.addEventListener(`dispose`,v)}if(a.isInstancedMesh===!0&&a.morphTexture!==null)s.getUniforms().setValue(e,`morphTexture`,a.morphTexture,n);else{let t=0;for(let e=0;e<c.length;e++)t+=c[e];let n=o.morphTargetsRelative?1:1-t;s.getUniforms().setValue(e,`morphTargetBaseInfluence`,n),s.getUniforms().setValue(e,`morphTargetInfluences`,c)}s.getUniforms().setValue(e,`morphTargetsTexture`,d.texture,n),s.getUniforms().setValue(e,`morphTargetsTextureSize`,d.size)}return{update:a}}function wd(e,t,n,r,i){let a=new WeakMap;function o(r){let o=i.render.frame,s=r.geometry,l=t.get(r,s);if(a.get(l)!==o&&(t.update(l),a.set(l,o)),r.isInstancedMesh&&(r.hasEventListener(`dispose`,c)===!1&&r.addEventListener(`dispose`,c),a.get(r)!==o&&(n.update(r.instanceMatrix,e.ARRAY_BUFFER),r.instanceColor!==null&&n.update(r.instanceColor,e.ARRAY_BUFFER),a.set(r,o))),r.isSkinnedMesh){let e=r.skeleton;a.get(e)!==o&&(e.update(),a.set(e,o))}return l}function s(){a=new WeakMap}function c(e){let t=e.target;t.removeEventListener(`dispose`,c),r.releaseStatesOfObject(t),n.remove(t.instanceMatrix),t.instanceColor!==null&&n.remove(t.instanceColor)}return{update:o,dispose:s}}var Td={1:`LINEAR_TONE_MAPPING`,2:`REINHARD_TONE_MAPPING`,3:`CINEON_TONE_MAPPING`,4:`ACES_FILMIC_TONE_MAPPING`,6:`AGX_TONE_MAPPING`,7:`NEUTRAL_TONE_MAPPING`,5:`CUSTOM_TONE_MAPPING`};function Ed(e,t,n,r,i,a){let o=new fs(t,n,{type:e,depthBuffer:i,stencilBuffer:a,samples:r?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),s=null,c=null,l=null,u=new Kc;u.setAttribute(`position`,new Pc([-1,3,0,-1,-1,0,3,-1,0],3)),u.setAttribute(`uv`,new Pc([0,2,0,0,2,0],2));let d=new Jl({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),f=new gl(u,d),p=new Tu(-1,1,1,-1,0,1),m=null,h=null,g=!1,_,v=null,y=[],b=!1;this.setSize=function(e,t){o.setSize(e,t),s!==null&&s.setSize(e,t),c!==null&&c.setSize(e,t);for(let n=0;n<y.length;n++){let r=y[n];r.setSize&&r.setSize(e,t)}},this.setEffects=function(e){y=e,b=y.length>0&&y[0].isRenderPass===!0;let t=o.width,n=o.height;y.length>0&&s===null&&(s=new fs(t,n,{type:sa,depthBuffer:!1,stencilBuffer:!1}),c=new fs(t,n,{type:sa,depthBuffer:!1,stencilBuffer:!1}));let r=i===!0&&y.some(e=>e.needsDepthTexture===!0);r!==(o.depthTexture!==null)&&(r===!0&&l===null&&(l=new Pl(t,n),a===!0&&(l.format=_a,l.type=ua)),o.dispose(),o.depthTexture=r?l:null,o.resolveDepthBuffer=r,o.storeMultisampledDepthBuffer=r);for(let e=0;e<y.length;e++){let i=y[e];i.setSize&&i.setSize(t,n),r&&i.needsDepthTexture===!0&&i.setDepthTexture&&i.setDepthTexture(l)}},this.begin=function(e,t){if(g||e.toneMapping===0&&y.length===0)return!1;if(v=t,t!==null){let e=t.width,n=t.height;(o.width!==e||o.height!==n)&&this.setSize(e,n)}return b===!1&&e.setRenderTarget(o),_=e.toneMapping,e.toneMapping=0,!0},this.hasRenderPass=function(){return b},this.end=function(e,t){e.toneMapping=_,g=!0;let n=o,r=s;for(let i=0;i<y.length;i++){let a=y[i];a.enabled!==!1&&(a.render(e,r,n,t),a.needsSwap!==!1&&(n=r,r=r===s?c:s))}if(m!==e.outputColorSpace||h!==e.toneMapping){m=e.outputColorSpace,h=e.toneMapping,d.defines={},$o.getTransfer(m)===`srgb`&&(d.defines.SRGB_TRANSFER=``);let t=Td[h];t&&(d.defines[t]=``),d.needsUpdate=!0}d.uniforms.tDiffuse.value=n.texture,e.setRenderTarget(v),e.render(f,p),v=null,g=!1},this.isCompositing=function(){return g},this.dispose=function(){o.dispose(),s!==null&&s.dispose(),c!==null&&c.dispose(),u.dispose(),d.dispose()}}var Dd=new ls,Od=new Pl(1,1),kd=new Fl(1),Ad=new ps,jd=new ms,Md=new Nl,Nd=[],Pd=[],Fd=new Float32Array(16),Id=new Float32Array(9),Ld=new Float32Array(4);function Rd(e,t,n){let r=e[0];if(r<=0||r>0)return e;let i=t*n,a=Nd[i];if(a===void 0&&(a=new Float32Array(i),Nd[i]=a),t!==0){r.toArray(a,0);for(let r=1,i=0;r!==t;++r)i+=n,e[r].toArray(a,i)}return a}function zd(e,t){if(e.length!==t.length)return!1;for(let n=0,r=e.length;n<r;n++)if(e[n]!==t[n])return!1;return!0}function Bd(e,t){for(let n=0,r=t.length;n<r;n++)e[n]=t[n]}function Vd(e,t){let n=Pd[t];n===void 0&&(n=new Int32Array(t),Pd[t]=n);for(let r=0;r!==t;++r)n[r]=e.allocateTextureUnit();return n}function Hd(e,t){let n=this.cache;n[0]!==t&&(e.uniform1f(this.addr,t),n[0]=t)}function Ud(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2f(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(zd(n,t))return;e.uniform2fv(this.addr,t),Bd(n,t)}}function Wd(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3f(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else if(t.r!==void 0)(n[0]!==t.r||n[1]!==t.g||n[2]!==t.b)&&(e.uniform3f(this.addr,t.r,t.g,t.b),n[0]=t.r,n[1]=t.g,n[2]=t.b);else{if(zd(n,t))return;e.uniform3fv(this.addr,t),Bd(n,t)}}function Gd(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4f(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(zd(n,t))return;e.uniform4fv(this.addr,t),Bd(n,t)}}function Kd(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(zd(n,t))return;e.uniformMatrix2fv(this.addr,!1,t),Bd(n,t)}else{if(zd(n,r))return;Ld.set(r),e.uniformMatrix2fv(this.addr,!1,Ld),Bd(n,r)}}function qd(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(zd(n,t))return;e.uniformMatrix3fv(this.addr,!1,t),Bd(n,t)}else{if(zd(n,r))return;Id.set(r),e.uniformMatrix3fv(this.addr,!1,Id),Bd(n,r)}}function Jd(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(zd(n,t))return;e.uniformMatrix4fv(this.addr,!1,t),Bd(n,t)}else{if(zd(n,r))return;Fd.set(r),e.uniformMatrix4fv(this.addr,!1,Fd),Bd(n,r)}}function Yd(e,t){let n=this.cache;n[0]!==t&&(e.uniform1i(this.addr,t),n[0]=t)}function Xd(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2i(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(zd(n,t))return;e.uniform2iv(this.addr,t),Bd(n,t)}}function Zd(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3i(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else{if(zd(n,t))return;e.uniform3iv(this.addr,t),Bd(n,t)}}function Qd(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4i(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(zd(n,t))return;e.uniform4iv(this.addr,t),Bd(n,t)}}function $d(e,t){let n=this.cache;n[0]!==t&&(e.uniform1ui(this.addr,t),n[0]=t)}function ef(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2ui(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(zd(n,t))return;e.uniform2uiv(this.addr,t),Bd(n,t)}}function tf(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3ui(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else{if(zd(n,t))return;e.uniform3uiv(this.addr,t),Bd(n,t)}}function nf(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4ui(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(zd(n,t))return;e.uniform4uiv(this.addr,t),Bd(n,t)}}function rf(e){return e.version===0&&(e.compareFunction=519,e.needsUpdate=!0),e}function af(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i);let a;a=this.type===e.SAMPLER_2D_SHADOW?rf(Od):Dd,n.setTexture2D(t||a,i)}function of(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i),n.setTexture3D(t||jd,i)}function sf(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i);let a;a=this.type===e.SAMPLER_CUBE_SHADOW?rf(kd):Md,n.setTextureCube(t||a,i)}function cf(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i),n.setTexture2DArray(t||Ad,i)}function lf(e){switch(e){case 5126:return Hd;case 35664:return Ud;case 35665:return Wd;case 35666:return Gd;case 35674:return Kd;case 35675:return qd;case 35676:return Jd;case 5124:case 35670:return Yd;case 35667:case 35671:return Xd;case 35668:case 35672:return Zd;case 35669:case 35673:return Qd;case 5125:return $d;case 36294:return ef;case 36295:return tf;case 36296:return nf;case 35678:case 36198:case 36298:case 36306:case 35682:return af;case 35679:case 36299:case 36307:return of;case 35680:case 36300:case 36308:case 36293:return sf;case 36289:case 36303:case 36311:case 36292:return cf}}function uf(e,t){e.uniform1fv(this.addr,t)}function df(e,t){let n=Rd(t,this.size,2);e.uniform2fv(this.addr,n)}function ff(e,t){let n=Rd(t,this.size,3);e.uniform3fv(this.addr,n)}function pf(e,t){let n=Rd(t,this.size,4);e.uniform4fv(this.addr,n)}function mf(e,t){let n=Rd(t,this.size,4);e.uniformMatrix2fv(this.addr,!1,n)}function hf(e,t){let n=Rd(t,this.size,9);e.uniformMatrix3fv(this.addr,!1,n)}function gf(e,t){let n=Rd(t,this.size,16);e.uniformMatrix4fv(this.addr,!1,n)}function _f(e,t){e.uniform1iv(this.addr,t)}function vf(e,t){e.uniform2iv(this.addr,t)}function yf(e,t){e.uniform3iv(this.addr,t)}function bf(e,t){e.uniform4iv(this.addr,t)}function xf(e,t){e.uniform1uiv(this.addr,t)}function Sf(e,t){e.uniform2uiv(this.addr,t)}function Cf(e,t){e.uniform3uiv(this.addr,t)}function wf(e,t){e.uniform4uiv(this.addr,t)}function Tf(e,t,n){let r=this.cache,i=t.length,a=Vd(n,i);zd(r,a)||(e.uniform1iv(this.addr,a),Bd(r,a));let o;o=this.type===e.SAMPLER_2D_SHADOW?rf(Od):Dd;for(let e=0;e!==i;++e)n.setTexture2D(t[e]||o,a[e])}function Ef(e,t,n){let r=this.cache,i=t.length,a=Vd(n,i);zd(r,a)||(e.uniform1iv(this.addr,a),Bd(r,a));for(let e=0;e!==i;++e)n.setTexture3D(t[e]||jd,a[e])}function Df(e,t,n){let r=this.cache,i=t.length,a=Vd(n,i);zd(r,a)||(e.uniform1iv(this.addr,a),Bd(r,a));let o;o=this.type===e.SAMPLER_CUBE_SHADOW?rf(kd):Md;for(let e=0;e!==i;++e)n.setTextureCube(t[e]||o,a[e])}function Of(e,t,n){let r=this.cache,i=t.length,a=Vd(n,i);zd(r,a)||(e.uniform1iv(this.addr,a),Bd(r,a));for(let e=0;e!==i;++e)n.setTexture2DArray(t[e]||Ad,a[e])}function kf(e){switch(e){case 5126:return uf;case 35664:return df;case 35665:return ff;case 35666:return pf;case 35674:return mf;case 35675:return hf;case 35676:return gf;case 5124:case 35670:return _f;case 35667:case 35671:return vf;case 35668:case 35672:return yf;case 35669:case 35673:return bf;case 5125:return xf;case 36294:return Sf;case 36295:return Cf;case 36296:return wf;case 35678:case 36198:case 36298:case 36306:case 35682:return Tf;case 35679:case 36299:case 36307:return Ef;case 35680:case 36300:case 36308:case 36293:return Df;case 36289:case 36303:case 36311:case 36292:return Of}}var Af=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.setValue=lf(t.type)}},jf=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.size=t.size,this.setValue=kf(t.type)}},Mf=class{constructor(e){this.id=e,this.seq=[],this.map={}}setValue(e,t,n){let r=this.seq;for(let i=0,a=r.length;i!==a;++i){let a=r[i];a.setValue(e,t[a.id],n)}}},Nf=/(\w+)(\])?(\[|\.)?/g;function Pf(e,t){e.seq.push(t),e.map[t.id]=t}function Ff(e,t,n){let r=e.name,i=r.length;for(Nf.lastIndex=0;;){let a=Nf.exec(r),o=Nf.lastIndex,s=a[1],c=a[2]===`]`,l=a[3];if(c&&(s|=0),l===void 0||l===`[`&&o+2===i){Pf(n,l===void 0?new Af(s,e,t):new jf(s,e,t));break}{let e=n.map[s];e===void 0&&(e=new Mf(s),Pf(n,e)),n=e}}}var If=class{constructor(e,t){this.seq=[],this.map={};let n=e.getProgramParameter(t,e.ACTIVE_UNIFORMS);for(let r=0;r<n;++r){let n=e.getActiveUniform(t,r);Ff(n,e.getUniformLocation(t,n.name),this)}let r=[],i=[];for(let t of this.seq)t.type===e.SAMPLER_2D_SHADOW||t.type===e.SAMPLER_CUBE_SHADOW||t.type===e.SAMPLER_2D_ARRAY_SHADOW?r.push(t):i.push(t);r.length>0&&(this.seq=r.concat(i))}setValue(e,t,n,r){let i=this.map[t];i!==void 0&&i.setValue(e,n,r)}setOptional(e,t,n){let r=t[n];r!==void 0&&this.setValue(e,n,r)}static upload(e,t,n,r){for(let i=0,a=t.length;i!==a;++i){let a=t[i],o=n[a.id];o.needsUpdate!==!1&&a.setValue(e,o.value,r)}}static seqWithValue(e,t){let n=[];for(let r=0,i=e.length;r!==i;++r){let i=e[r];i.id in t&&n.push(i)}return n}};function Lf(e,t,n){let r=e.createShader(t);return e.shaderSource(r,n),e.compileShader(r),r}var Rf=37297,zf=0;function Bf(e,t){let n=e.split(`
`),r=[],i=Math.max(t-6,0),a=Math.min(t+6,n.length);for(let e=i;e<a;e++){let i=e+1;r.push(`${i===t?`>`:` `} ${i}: ${n[e]}`)}return r.join(`
`)}var Vf=new Z;function Hf(e){$o._getMatrix(Vf,$o.workingColorSpace,e);let t=`mat3( ${Vf.elements.map(e=>e.toFixed(4))} )`;switch($o.getTransfer(e)){case go:return[t,`LinearTransferOETF`];case _o:return[t,`sRGBTransferOETF`];default:return J(`WebGLProgram: Unsupported color space: `,e),[t,`LinearTransferOETF`]}}function Uf(e,t,n){let r=e.getShaderParameter(t,e.COMPILE_STATUS),i=(e.getShaderInfoLog(t)||``).trim();if(r&&i===``)return``;let a=/ERROR: 0:(\d+)/.exec(i);if(a){let r=parseInt(a[1]);return n.toUpperCase()+`

`+i+`

`+Bf(e.getShaderSource(t),r)}return i}function Wf(e,t){let n=Hf(t);return[`vec4 ${e}( vec4 value ) {`,`	return ${n[1]}( vec4( ${n[0]} * value.rgb, value.a ) );`,`}`].join(`
`)}var Gf={1:`Linear`,2:`Reinhard`,3:`Cineon`,4:`ACESFilmic`,6:`AgX`,7:`Neutral`,5:`Custom`};function Kf(e,t){let n=Gf[t];return n===void 0?(J(`WebGLProgram: Unsupported toneMapping:`,t),`vec3 `+e+`( vec3 color ) { return LinearToneMapping( color ); }`):`vec3 `+e+`( vec3 color ) { return `+n+`ToneMapping( color ); }`}var qf=new X;function Jf(){return $o.getLuminanceCoefficients(qf),[`float luminance( const in vec3 rgb ) {`,`	const vec3 weights = vec3( ${qf.x.toFixed(4)}, ${qf.y.toFixed(4)}, ${qf.z.toFixed(4)} );`,`	return dot( weights, rgb );`,`}`].join(`
`)}function Yf(e){return[e.extensionClipCullDistance?`#extension GL_ANGLE_clip_cull_distance : require`:``,e.extensionMultiDraw?`#extension GL_ANGLE_multi_draw : require`:``].filter(Qf).join(`
`)}function Xf(e){let t=[];for(let n in e){let r=e[n];r!==!1&&t.push(`#define `+n+` `+r)}return t.join(`
`)}function Zf(e,t){let n={},r=e.getProgramParameter(t,e.ACTIVE_ATTRIBUTES);for(let i=0;i<r;i++){let r=e.getActiveAttrib(t,i),a=r.name,o=1;r.type===e.FLOAT_MAT2&&(o=2),r.type===e.FLOAT_MAT3&&(o=3),r.type===e.FLOAT_MAT4&&(o=4),n[a]={type:r.type,location:e.getAttribLocation(t,a),locationSize:o}}return n}function Qf(e){return e!==``}function $f(e,t){let n=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return e.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,n).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function ep(e,t){return e.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var tp=/^[ \t]*#include +<([\w\d./]+)>/gm;function np(e){return e.replace(tp,rp)}function rp(e,t){let n=Q[t];if(n===void 0)throw Error(`THREE.WebGLProgram: Can not resolve #include <`+t+`>`);return np(n)}var ip=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function ap(e){return e.replace(ip,op)}function op(e,t,n,r){let i=``;for(let e=parseInt(t);e<parseInt(n);e++)i+=r.replace(/\[\s*i\s*\]/g,`[ `+e+` ]`).replace(/UNROLLED_LOOP_INDEX/g,e);return i}function sp(e){let t=`precision ${e.precision} float;
	precision ${e.precision} int;
	precision ${e.precision} sampler2D;
	precision ${e.precision} samplerCube;
	precision ${e.precision} sampler3D;
	precision ${e.precision} sampler2DArray;
	precision ${e.precision} sampler2DShadow;
	precision ${e.precision} samplerCubeShadow;
	precision ${e.precision} sampler2DArrayShadow;
	precision ${e.precision} isampler2D;
	precision ${e.precision} isampler3D;
	precision ${e.precision} isamplerCube;
	precision ${e.precision} isampler2DArray;
	precision ${e.precision} usampler2D;
	precision ${e.precision} usampler3D;
	precision ${e.precision} usamplerCube;
	precision ${e.precision} usampler2DArray;
	`;return e.precision===`highp`?t+=`
#define HIGH_PRECISION`:e.precision===`mediump`?t+=`
#define MEDIUM_PRECISION`:e.precision===`lowp`&&(t+=`
#define LOW_PRECISION`),t}var cp={1:`SHADOWMAP_TYPE_PCF`,3:`SHADOWMAP_TYPE_VSM`};function lp(e){return cp[e.shadowMapType]||`SHADOWMAP_TYPE_BASIC`}var up={302:`ENVMAP_MODE_REFRACTION`};function dp(e){return e.envMap===!1?`ENVMAP_MODE_REFLECTION`:up[e.envMapMode]||`ENVMAP_MODE_REFLECTION`}var fp={0:`ENVMAP_BLENDING_MULTIPLY`,1:`ENVMAP_BLENDING_MIX`,2:`ENVMAP_BLENDING_ADD`};function pp(e){return e.envMap===!1?`ENVMAP_BLENDING_NONE`:fp[e.combine]||`ENVMAP_BLENDING_NONE`}function mp(e,t,n,r){let i=e.getContext(),a=n.defines,o=n.vertexShader,s=n.fragmentShader,c=lp(n),l=n.envMapPMREM===!0?`ENVMAP_TYPE_PMREM`:`ENVMAP_TYPE_CUBE`,u=dp(n),d=pp(n),f=Yf(n),p=Xf(a),m=i.createProgram(),h,g,_=n.glslVersion?`#version `+n.glslVersion+`
`:``;n.isRawShaderMaterial?(h=[`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p].filter(Qf).join(`
`),h.length>0&&(h+=`
`),g=[`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p].filter(Qf).join(`
`),g.length>0&&(g+=`
`)):(h=[sp(n),`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p,n.extensionClipCullDistance?`#define USE_CLIP_DISTANCE`:``,n.batching?`#define USE_BATCHING`:``,n.batchingColor?`#define USE_BATCHING_COLOR`:``,n.instancing?`#define USE_INSTANCING`:``,n.instancingColor?`#define USE_INSTANCING_COLOR`:``,n.instancingMorph?`#define USE_INSTANCING_MORPH`:``,n.useFog&&n.fog?`#define USE_FOG`:``,n.useFog&&n.fogExp2?`#define FOG_EXP2`:``,n.map?`#define USE_MAP`:``,n.envMap?`#define USE_ENVMAP`:``,n.envMap?`#define `+u:``,n.lightMap?`#define USE_LIGHTMAP`:``,n.aoMap?`#define USE_AOMAP`:``,n.bumpMap?`#define USE_BUMPMAP`:``,n.normalMap?`#define USE_NORMALMAP`:``,n.normalMapObjectSpace?`#define USE_NORMALMAP_OBJECTSPACE`:``,n.normalMapTangentSpace?`#define USE_NORMALMAP_TANGENTSPACE`:``,n.displacementMap?`#define USE_DISPLACEMENTMAP`:``,n.emissiveMap?`#define USE_EMISSIVEMAP`:``,n.anisotropy?`#define USE_ANISOTROPY`:``,n.anisotropyMap?`#define USE_ANISOTROPYMAP`:``,n.clearcoatMap?`#define USE_CLEARCOATMAP`:``,n.clearcoatRoughnessMap?`#define USE_CLEARCOAT_ROUGHNESSMAP`:``,n.clearcoatNormalMap?`#define USE_CLEARCOAT_NORMALMAP`:``,n.diffuseRoughnessMap?`#define USE_DIFFUSE_ROUGHNESSMAP`:``,n.iridescenceMap?`#define USE_IRIDESCENCEMAP`:``,n.iridescenceThicknessMap?`#define USE_IRIDESCENCE_THICKNESSMAP`:``,n.specularMap?`#define USE_SPECULARMAP`:``,n.specularColorMap?`#define USE_SPECULAR_COLORMAP`:``,n.specularIntensityMap?`#define USE_SPECULAR_INTENSITYMAP`:``,n.roughnessMap?`#define USE_ROUGHNESSMAP`:``,n.metalnessMap?`#define USE_METALNESSMAP`:``,n.alphaMap?`#define USE_ALPHAMAP`:``,n.alphaHash?`#define USE_ALPHAHASH`:``,n.transmission?`#define USE_TRANSMISSION`:``,n.transmissionMap?`#define USE_TRANSMISSIONMAP`:``,n.thicknessMap?`#define USE_THICKNESSMAP`:``,n.sheenColorMap?`#define USE_SHEEN_COLORMAP`:``,n.sheenRoughnessMap?`#define USE_SHEEN_ROUGHNESSMAP`:``,n.mapUv?`#define MAP_UV `+n.mapUv:``,n.alphaMapUv?`#define ALPHAMAP_UV `+n.alphaMapUv:``,n.lightMapUv?`#define LIGHTMAP_UV `+n.lightMapUv:``,n.aoMapUv?`#define AOMAP_UV `+n.aoMapUv:``,n.emissiveMapUv?`#define EMISSIVEMAP_UV `+n.emissiveMapUv:``,n.bumpMapUv?`#define BUMPMAP_UV `+n.bumpMapUv:``,n.normalMapUv?`#define NORMALMAP_UV `+n.normalMapUv:``,n.displacementMapUv?`#define DISPLACEMENTMAP_UV `+n.displacementMapUv:``,n.metalnessMapUv?`#define METALNESSMAP_UV `+n.metalnessMapUv:``,n.roughnessMapUv?`#define ROUGHNESSMAP_UV `+n.roughnessMapUv:``,n.anisotropyMapUv?`#define ANISOTROPYMAP_UV `+n.anisotropyMapUv:``,n.clearcoatMapUv?`#define CLEARCOATMAP_UV `+n.clearcoatMapUv:``,n.clearcoatNormalMapUv?`#define CLEARCOAT_NORMALMAP_UV `+n.clearcoatNormalMapUv:``,n.clearcoatRoughnessMapUv?`#define CLEARCOAT_ROUGHNESSMAP_UV `+n.clearcoatRoughnessMapUv:``,n.diffuseRoughnessMapUv?`#define DIFFUSE_ROUGHNESSMAP_UV `+n.diffuseRoughnessMapUv:``,n.iridescenceMapUv?`#define IRIDESCENCEMAP_UV `+n.iridescenceMapUv:``,n.iridescenceThicknessMapUv?`#define IRIDESCENCE_THICKNESSMAP_UV `+n.iridescenceThicknessMapUv:``,n.sheenColorMapUv?`#define SHEEN_COLORMAP_UV `+n.sheenColorMapUv:``,n.sheenRoughnessMapUv?`#define SHEEN_ROUGHNESSMAP_UV `+n.sheenRoughnessMapUv:``,n.specularMapUv?`#define SPECULARMAP_UV `+n.specularMapUv:``,n.specularColorMapUv?`#define SPECULAR_COLORMAP_UV `+n.specularColorMapUv:``,n.specularIntensityMapUv?`#define SPECULAR_INTENSITYMAP_UV `+n.specularIntensityMapUv:``,n.transmissionMapUv?`#define TRANSMISSIONMAP_UV `+n.transmissionMapUv:``,n.thicknessMapUv?`#define THICKNESSMAP_UV `+n.thicknessMapUv:``,n.vertexTangents&&n.flatShading===!1?`#define USE_TANGENT`:``,n.vertexNormals?`#define HAS_NORMAL`:``,n.vertexColors?`#define USE_COLOR`:``,n.vertexAlphas?`#define USE_COLOR_ALPHA`:``,n.vertexUv1s?`#define USE_UV1`:``,n.vertexUv2s?`#define USE_UV2`:``,n.vertexUv3s?`#define USE_UV3`:``,n.pointsUvs?`#define USE_POINTS_UV`:``,n.flatShading?`#define FLAT_SHADED`:``,n.skinning?`#define USE_SKINNING`:``,n.morphTargets?`#define USE_MORPHTARGETS`:``,n.morphNormals&&n.flatShading===!1?`#define USE_MORPHNORMALS`:``,n.morphColors?`#define USE_MORPHCOLORS`:``,n.morphTargetsCount>0?`#define MORPHTARGETS_TEXTURE_STRIDE `+n.morphTextureStride:``,n.morphTargetsCount>0?`#define MORPHTARGETS_COUNT `+n.morphTargetsCount:``,n.doubleSided?`#define DOUBLE_SIDED`:``,n.flipSided?`#define FLIP_SIDED`:``,n.shadowMapEnabled?`#define USE_SHADOWMAP`:``,n.shadowMapEnabled?`#define `+c:``,n.sizeAttenuation?`#define USE_SIZEATTENUATION`:``,n.numLightProbes>0?`#define USE_LIGHT_PROBES`:``,n.logarithmicDepthBuffer?`#define USE_LOGARITHMIC_DEPTH_BUFFER`:``,n.reversedDepthBuffer?`#define USE_REVERSED_DEPTH_BUFFER`:``,`uniform mat4 modelMatrix;`,`uniform mat4 modelViewMatrix;`,`uniform mat4 projectionMatrix;`,`uniform mat4 viewMatrix;`,`uniform mat3 normalMatrix;`,`uniform vec3 cameraPosition;`,`uniform bool isOrthographic;`,`#ifdef USE_INSTANCING`,`	attribute mat4 instanceMatrix;`,`#endif`,`#ifdef USE_INSTANCING_COLOR`,`	attribute vec3 instanceColor;`,`#endif`,`#ifdef USE_INSTANCING_MORPH`,`	uniform sampler2D morphTexture;`,`#endif`,`attribute vec3 position;`,`attribute vec3 normal;`,`attribute vec2 uv;`,`#ifdef USE_UV1`,`	attribute vec2 uv1;`,`#endif`,`#ifdef USE_UV2`,`	attribute vec2 uv2;`,`#endif`,`#ifdef USE_UV3`,`	attribute vec2 uv3;`,`#endif`,`#ifdef USE_TANGENT`,`	attribute vec4 tangent;`,`#endif`,`#if defined( USE_COLOR_ALPHA )`,`	attribute vec4 color;`,`#elif defined( USE_COLOR )`,`	attribute vec3 color;`,`#endif`,`#ifdef USE_SKINNING`,`	attribute vec4 skinIndex;`,`	attribute vec4 skinWeight;`,`#endif`,`
`].filter(Qf).join(`
`),g=[sp(n),`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p,n.useFog&&n.fog?`#define USE_FOG`:``,n.useFog&&n.fogExp2?`#define FOG_EXP2`:``,n.alphaToCoverage?`#define ALPHA_TO_COVERAGE`:``,n.map?`#define USE_MAP`:``,n.matcap?`#define USE_MATCAP`:``,n.envMap?`#define USE_ENVMAP`:``,n.envMap?`#define `+l:``,n.envMap?`#define `+u:``,n.envMap?`#define `+d:``,n.envMapPMREM?`#define ENVMAP_MAX_LOD `+n.envMapMaxLod+`.0`:``,n.envMapPMREM?`#define ENVMAP_SIZE `+n.envMapSize+`.0`:``,n.lightMap?`#define USE_LIGHTMAP`:``,n.aoMap?`#define USE_AOMAP`:``,n.bumpMap?`#define USE_BUMPMAP`:``,n.normalMap?`#define USE_NORMALMAP`:``,n.normalMapObjectSpace?`#define USE_NORMALMAP_OBJECTSPACE`:``,n.normalMapTangentSpace?`#define USE_NORMALMAP_TANGENTSPACE`:``,n.packedNormalMap?`#define USE_PACKED_NORMALMAP`:``,n.emissiveMap?`#define USE_EMISSIVEMAP`:``,n.anisotropy?`#define USE_ANISOTROPY`:``,n.anisotropyMap?`#define USE_ANISOTROPYMAP`:``,n.clearcoat?`#define USE_CLEARCOAT`:``,n.clearcoatMap?`#define USE_CLEARCOATMAP`:``,n.clearcoatRoughnessMap?`#define USE_CLEARCOAT_ROUGHNESSMAP`:``,n.clearcoatNormalMap?`#define USE_CLEARCOAT_NORMALMAP`:``,n.diffuseRoughness?`#define USE_DIFFUSE_ROUGHNESS`:``,n.diffuseRoughnessMap?`#define USE_DIFFUSE_ROUGHNESSMAP`:``,n.dispersion?`#define USE_DISPERSION`:``,n.retroreflection?`#define USE_RETROREFLECTION`:``,n.iridescence?`#define USE_IRIDESCENCE`:``,n.iridescenceMap?`#define USE_IRIDESCENCEMAP`:``,n.iridescenceThicknessMap?`#define USE_IRIDESCENCE_THICKNESSMAP`:``,n.specularMap?`#define USE_SPECULARMAP`:``,n.specularColorMap?`#define USE_SPECULAR_COLORMAP`:``,n.specularIntensityMap?`#define USE_SPECULAR_INTENSITYMAP`:``,n.roughnessMap?`#define USE_ROUGHNESSMAP`:``,n.metalnessMap?`#define USE_METALNESSMAP`:``,n.alphaMap?`#define USE_ALPHAMAP`:``,n.alphaTest?`#define USE_ALPHATEST`:``,n.alphaHash?`#define USE_ALPHAHASH`:``,n.sheen?`#define USE_SHEEN`:``,n.sheenColorMap?`#define USE_SHEEN_COLORMAP`:``,n.sheenRoughnessMap?`#define USE_SHEEN_ROUGHNESSMAP`:``,n.transmission?`#define USE_TRANSMISSION`:``,n.transmissionMap?`#define USE_TRANSMISSIONMAP`:``,n.thicknessMap?`#define USE_THICKNESSMAP`:``,n.vertexTangents&&n.flatShading===!1?`#define USE_TANGENT`:``,n.vertexColors||n.instancingColor?`#define USE_COLOR`:``,n.vertexAlphas||n.batchingColor?`#define USE_COLOR_ALPHA`:``,n.vertexUv1s?`#define USE_UV1`:``,n.vertexUv2s?`#define USE_UV2`:``,n.vertexUv3s?`#define USE_UV3`:``,n.pointsUvs?`#define USE_POINTS_UV`:``,n.gradientMap?`#define USE_GRADIENTMAP`:``,n.flatShading?`#define FLAT_SHADED`:``,n.doubleSided?`#define DOUBLE_SIDED`:``,n.flipSided?`#define FLIP_SIDED`:``,n.shadowMapEnabled?`#define USE_SHADOWMAP`:``,n.shadowMapEnabled?`#define `+c:``,n.premultipliedAlpha?`#define PREMULTIPLIED_ALPHA`:``,n.numLightProbes>0?`#define USE_LIGHT_PROBES`:``,n.decodeVideoTexture?`#define DECODE_VIDEO_TEXTURE`:``,n.decodeVideoTextureEmissive?`#define DECODE_VIDEO_TEXTURE_EMISSIVE`:``,n.logarithmicDepthBuffer?`#define USE_LOGARITHMIC_DEPTH_BUFFER`:``,n.reversedDepthBuffer?`#define USE_REVERSED_DEPTH_BUFFER`:``,`uniform mat4 viewMatrix;`,`uniform vec3 cameraPosition;`,`uniform bool isOrthographic;`,n.toneMapping===0?``:`#define TONE_MAPPING`,n.toneMapping===0?``:Q.tonemapping_pars_fragment,n.toneMapping===0?``:Kf(`toneMapping`,n.toneMapping),n.dithering?`#define DITHERING`:``,n.opaque?`#define OPAQUE`:``,Q.colorspace_pars_fragment,Wf(`linearToOutputTexel`,n.outputColorSpace),Jf(),n.useDepthPacking?`#define DEPTH_PACKING `+n.depthPacking:``,`
`].filter(Qf).join(`
`)),o=np(o),o=$f(o,n),o=ep(o,n),s=np(s),s=$f(s,n),s=ep(s,n),o=ap(o),s=ap(s),n.isRawShaderMaterial!==!0&&(_=`#version 300 es
`,h=[f,`#define attribute in`,`#define varying out`,`#define texture2D texture`].join(`
`)+`
`+h,g=[`#define varying in`,n.glslVersion===`300 es`?``:`layout(location = 0) out highp vec4 pc_fragColor;`,n.glslVersion===`300 es`?``:`#define gl_FragColor pc_fragColor`,`#define gl_FragDepthEXT gl_FragDepth`,`#define texture2D texture`,`#define textureCube texture`,`#define texture2DProj textureProj`,`#define texture2DLodEXT textureLod`,`#define texture2DProjLodEXT textureProjLod`,`#define textureCubeLodEXT textureLod`,`#define texture2DGradEXT textureGrad`,`#define texture2DProjGradEXT textureProjGrad`,`#define textureCubeGradEXT textureGrad`].join(`
`)+`
`+g);let v=_+h+o,y=_+g+s,b=Lf(i,i.VERTEX_SHADER,v),x=Lf(i,i.FRAGMENT_SHADER,y);i.attachShader(m,b),i.attachShader(m,x),n.index0AttributeName===void 0?n.hasPositionAttribute===!0&&i.bindAttribLocation(m,0,`position`):i.bindAttribLocation(m,0,n.index0AttributeName),i.linkProgram(m);function S(t){if(e.debug.checkShaderErrors){let n=i.getProgramInfoLog(m)||``,r=i.getShaderInfoLog(b)||``,a=i.getShaderInfoLog(x)||``,o=n.trim(),s=r.trim(),c=a.trim(),l=!0,u=!0;if(i.getProgramParameter(m,i.LINK_STATUS)===!1){if(l=!1,typeof e.debug.onShaderError==`function`)e.debug.onShaderError(i,m,b,x);else{let e=Uf(i,b,`vertex`),n=Uf(i,x,`fragment`);Y(`WebGLProgram: Shader Error `+i.getError()+` - VALIDATE_STATUS `+i.getProgramParameter(m,i.VALIDATE_STATUS)+`

Material Name: `+t.name+`
Material Type: `+t.type+`

Program Info Log: `+o+`
`+e+`
`+n)}}else o===``?(s===``||c===``)&&(u=!1):J(`WebGLProgram: Program Info Log:`,o);u&&(t.diagnostics={runnable:l,programLog:o,vertexShader:{log:s,prefix:h},fragmentShader:{log:c,prefix:g}})}i.deleteShader(b),i.deleteShader(x),C=new If(i,m),w=Zf(i,m)}let C;this.getUniforms=function(){return C===void 0&&S(this),C};let w;this.getAttributes=function(){return w===void 0&&S(this),w};let T=n.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return T===!1&&(T=i.getProgramParameter(m,Rf)),T},this.destroy=function(){r.releaseStatesOfProgram(this),i.deleteProgram(m),this.program=void 0},this.type=n.shaderType,this.name=n.shaderName,this.id=zf++,this.cacheKey=t,this.usedTimes=1,this.program=m,this.vertexShader=b,this.fragmentShader=x,this}var hp=0,gp=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(e,t,n){let r=this._getShaderCacheForMaterial(e);return r.has(t)===!1&&(r.add(t),t.usedTimes++),r.has(n)===!1&&(r.add(n),n.usedTimes++),this}remove(e){let t=this.materialCache.get(e);for(let e of t)e.usedTimes--,e.usedTimes===0&&this.shaderCache.delete(e.code);return this.materialCache.delete(e),this}getVertexShaderStage(e){return this._getShaderStage(e.vertexShader)}getFragmentShaderStage(e){return this._getShaderStage(e.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(e){let t=this.materialCache,n=t.get(e);return n===void 0&&(n=new Set,t.set(e,n)),n}_getShaderStage(e){let t=this.shaderCache,n=t.get(e);return n===void 0&&(n=new _p(e),t.set(e,n)),n}},_p=class{constructor(e){this.id=hp++,this.code=e,this.usedTimes=0}};function vp(e){return e===1030||e===37490||e===36285}function yp(e,t,n,r,i,a){let o=new Es,s=new gp,c=new Set,l=[],u=new Map,d=r.logarithmicDepthBuffer,f={MeshDepthMaterial:`depth`,MeshDistanceMaterial:`distance`,MeshNormalMaterial:`normal`,MeshBasicMaterial:`basic`,MeshLambertMaterial:`lambert`,MeshPhongMaterial:`phong`,MeshToonMaterial:`toon`,MeshStandardMaterial:`physical`,MeshPhysicalMaterial:`physical`,MeshMatcapMaterial:`matcap`,LineBasicMaterial:`basic`,LineDashedMaterial:`dashed`,PointsMaterial:`points`,ShadowMaterial:`shadow`,SpriteMaterial:`sprite`};function p(e){return c.add(e),e===0?`uv`:`uv${e}`}function m(i,o,l,u,m,h){let g=u.fog,_=m.geometry,v=i.isMeshStandardMaterial||i.isMeshLambertMaterial||i.isMeshPhongMaterial?u.environment:null,y=i.isMeshStandardMaterial||i.isMeshLambertMaterial&&!i.envMap||i.isMeshPhongMaterial&&!i.envMap,b=t.get(i.envMap||v,y),x=f[i.type],S=r.precision;i.precision!==null&&(S=r.getMaxPrecision(i.precision),S!==i.precision&&J(`WebGLProgram.getParameters:`,i.precision,`not supported, using`,S,`instead.`));let C=_.morphAttributes.position||_.morphAttributes.normal||_.morphAttributes.color,w=C===void 0?0:C.length,T=0;_.morphAttributes.position!==void 0&&(T=1),_.morphAttributes.normal!==void 0&&(T=2),_.morphAttributes.color!==void 0&&(T=3);let E,D,O,k;if(x){let e=Ku[x];E=e.vertexShader,D=e.fragmentShader}else{E=i.vertexShader,D=i.fragmentShader;let e=s.getVertexShaderStage(i),t=s.getFragmentShaderStage(i);s.update(i,e,t),O=e.id,k=t.id}let A=e.getRenderTarget(),j=e.state.buffers.depth.getReversed(),M=m.isInstancedMesh===!0,N=m.isBatchedMesh===!0,P=!!i.map,F=!!i.matcap,I=!!b,ee=I&&b.isPMREMTexture===!0,L=!!i.aoMap,R=!!i.lightMap,te=!!i.bumpMap&&i.wireframe===!1,ne=!!i.normalMap,z=!!i.displacementMap,B=!!i.emissiveMap,re=!!i.metalnessMap,ie=!!i.roughnessMap,ae=i.anisotropy>0,oe=i.clearcoat>0,se=i.diffuseRoughness>0,ce=i.dispersion>0,le=i.retroreflectivity>0,ue=i.iridescence>0,de=i.sheen>0,fe=i.transmission>0,pe=ae&&!!i.anisotropyMap,me=oe&&!!i.clearcoatMap,he=oe&&!!i.clearcoatNormalMap,ge=oe&&!!i.clearcoatRoughnessMap,_e=se&&!!i.diffuseRoughnessMap,V=ue&&!!i.iridescenceMap,H=ue&&!!i.iridescenceThicknessMap,U=de&&!!i.sheenColorMap,ve=de&&!!i.sheenRoughnessMap,W=!!i.specularMap,ye=!!i.specularColorMap,G=!!i.specularIntensityMap,K=fe&&!!i.transmissionMap,be=fe&&!!i.thicknessMap,xe=!!i.gradientMap,Se=!!i.alphaMap,Ce=i.alphaTest>0,we=!!i.alphaHash,Te=!!i.extensions,Ee=0;i.toneMapped&&(A===null||A.isXRRenderTarget===!0)&&(Ee=e.toneMapping);let De=ee?b.isCompressedCubeTexture?b.image[0].mipmaps:b.mipmaps:null,Oe={shaderID:x,shaderType:i.type,shaderName:i.name,vertexShader:E,fragmentShader:D,defines:i.defines,customVertexShaderID:O,customFragmentShaderID:k,isRawShaderMaterial:i.isRawShaderMaterial===!0,glslVersion:i.glslVersion,precision:S,batching:N,batchingColor:N&&m._colorsTexture!==null,instancing:M,instancingColor:M&&m.instanceColor!==null,instancingMorph:M&&m.morphTexture!==null,outputColorSpace:A===null?e.outputColorSpace:A.isXRRenderTarget===!0?A.texture.colorSpace:$o.workingColorSpace,alphaToCoverage:!!i.alphaToCoverage,map:P,matcap:F,envMap:I,envMapMode:I&&b.mapping,envMapPMREM:ee,envMapMaxLod:ee?De.length-1:null,envMapSize:ee?De[0].width:null,aoMap:L,lightMap:R,bumpMap:te,normalMap:ne,displacementMap:z,emissiveMap:B,normalMapObjectSpace:ne&&i.normalMapType===1,normalMapTangentSpace:ne&&i.normalMapType===0,packedNormalMap:ne&&i.normalMapType===0&&vp(i.normalMap.format),metalnessMap:re,roughnessMap:ie,anisotropy:ae,anisotropyMap:pe,clearcoat:oe,clearcoatMap:me,clearcoatNormalMap:he,clearcoatRoughnessMap:ge,diffuseRoughness:se,diffuseRoughnessMap:_e,dispersion:ce,retroreflection:le,iridescence:ue,iridescenceMap:V,iridescenceThicknessMap:H,sheen:de,sheenColorMap:U,sheenRoughnessMap:ve,specularMap:W,specularColorMap:ye,specularIntensityMap:G,transmission:fe,transmissionMap:K,thicknessMap:be,gradientMap:xe,opaque:i.transparent===!1&&i.blending===1&&i.alphaToCoverage===!1,alphaMap:Se,alphaTest:Ce,alphaHash:we,combine:i.combine,mapUv:P&&p(i.map.channel),aoMapUv:L&&p(i.aoMap.channel),lightMapUv:R&&p(i.lightMap.channel),bumpMapUv:te&&p(i.bumpMap.channel),normalMapUv:ne&&p(i.normalMap.channel),displacementMapUv:z&&p(i.displacementMap.channel),emissiveMapUv:B&&p(i.emissiveMap.channel),metalnessMapUv:re&&p(i.metalnessMap.channel),roughnessMapUv:ie&&p(i.roughnessMap.channel),anisotropyMapUv:pe&&p(i.anisotropyMap.channel),clearcoatMapUv:me&&p(i.clearcoatMap.channel),clearcoatNormalMapUv:he&&p(i.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:ge&&p(i.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:_e&&p(i.diffuseRoughnessMap.channel),iridescenceMapUv:V&&p(i.iridescenceMap.channel),iridescenceThicknessMapUv:H&&p(i.iridescenceThicknessMap.channel),sheenColorMapUv:U&&p(i.sheenColorMap.channel),sheenRoughnessMapUv:ve&&p(i.sheenRoughnessMap.channel),specularMapUv:W&&p(i.specularMap.channel),specularColorMapUv:ye&&p(i.specularColorMap.channel),specularIntensityMapUv:G&&p(i.specularIntensityMap.channel),transmissionMapUv:K&&p(i.transmissionMap.channel),thicknessMapUv:be&&p(i.thicknessMap.channel),alphaMapUv:Se&&p(i.alphaMap.channel),vertexTangents:!!_.attributes.tangent&&(ne||ae),vertexNormals:!!_.attributes.normal,vertexColors:i.vertexColors,vertexAlphas:i.vertexColors===!0&&!!_.attributes.color&&_.attributes.color.itemSize===4,pointsUvs:m.isPoints===!0&&!!_.attributes.uv&&(P||Se),fog:!!g,useFog:i.fog===!0,fogExp2:!!g&&g.isFogExp2,flatShading:i.wireframe===!1&&(i.flatShading===!0||_.attributes.normal===void 0&&ne===!1&&(i.isMeshLambertMaterial||i.isMeshPhongMaterial||i.isMeshStandardMaterial||i.isMeshPhysicalMaterial)),sizeAttenuation:i.sizeAttenuation===!0,logarithmicDepthBuffer:d,reversedDepthBuffer:j,skinning:m.isSkinnedMesh===!0,hasPositionAttribute:_.attributes.position!==void 0,morphTargets:_.morphAttributes.position!==void 0,morphNormals:_.morphAttributes.normal!==void 0,morphColors:_.morphAttributes.color!==void 0,morphTargetsCount:w,morphTextureStride:T,numSunLights:o.sun.length,numDirLights:o.directional.length,numPointLights:o.point.length,numSpotLights:o.spot.length,numSpotLightMaps:o.spotLightMap.length,numRectAreaLights:o.rectArea.length,numHemiLights:o.hemi.length,numSunLightShadows:o.sunShadowMap.length,numDirLightShadows:o.directionalShadowMap.length,numPointLightShadows:o.pointShadowMap.length,numSpotLightShadows:o.spotShadowMap.length,numSpotLightShadowsWithMaps:o.numSpotLightShadowsWithMaps,numLightProbes:o.numLightProbes,numLightProbeGrids:h.filter(e=>e.texture!==null).length,numClippingPlanes:a.numPlanes,numClipIntersection:a.numIntersection,dithering:i.dithering,shadowMapEnabled:e.shadowMap.enabled&&l.length>0,shadowMapType:e.shadowMap.type,toneMapping:Ee,decodeVideoTexture:P&&i.map.isVideoTexture===!0&&$o.getTransfer(i.map.colorSpace)===`srgb`,decodeVideoTextureEmissive:B&&i.emissiveMap.isVideoTexture===!0&&$o.getTransfer(i.emissiveMap.colorSpace)===`srgb`,premultipliedAlpha:i.premultipliedAlpha,doubleSided:i.side===2,flipSided:i.side===1,useDepthPacking:i.depthPacking>=0,depthPacking:i.depthPacking||0,index0AttributeName:i.index0AttributeName,extensionClipCullDistance:Te&&i.extensions.clipCullDistance===!0&&n.has(`WEBGL_clip_cull_distance`),extensionMultiDraw:(Te&&i.extensions.multiDraw===!0||N)&&n.has(`WEBGL_multi_draw`),rendererExtensionParallelShaderCompile:n.has(`KHR_parallel_shader_compile`),customProgramCacheKey:i.customProgramCacheKey()};return Oe.vertexUv1s=c.has(1),Oe.vertexUv2s=c.has(2),Oe.vertexUv3s=c.has(3),c.clear(),Oe}function h(t){let n=[];if(t.shaderID?n.push(t.shaderID):(n.push(t.customVertexShaderID),n.push(t.customFragmentShaderID)),t.defines!==void 0)for(let e in t.defines)n.push(e),n.push(t.defines[e]);return t.isRawShaderMaterial===!1&&(g(n,t),_(n,t),n.push(e.outputColorSpace)),n.push(t.customProgramCacheKey),n.join()}function g(e,t){e.push(t.precision),e.push(t.outputColorSpace),e.push(t.envMapMode),e.push(t.envMapPMREM),e.push(t.envMapMaxLod),e.push(t.envMapSize),e.push(t.mapUv),e.push(t.alphaMapUv),e.push(t.lightMapUv),e.push(t.aoMapUv),e.push(t.bumpMapUv),e.push(t.normalMapUv),e.push(t.displacementMapUv),e.push(t.emissiveMapUv),e.push(t.metalnessMapUv),e.push(t.roughnessMapUv),e.push(t.anisotropyMapUv),e.push(t.clearcoatMapUv),e.push(t.clearcoatNormalMapUv),e.push(t.clearcoatRoughnessMapUv),e.push(t.diffuseRoughnessMapUv),e.push(t.iridescenceMapUv),e.push(t.iridescenceThicknessMapUv),e.push(t.sheenColorMapUv),e.push(t.sheenRoughnessMapUv),e.push(t.specularMapUv),e.push(t.specularColorMapUv),e.push(t.specularIntensityMapUv),e.push(t.transmissionMapUv),e.push(t.thicknessMapUv),e.push(t.combine),e.push(t.fogExp2),e.push(t.sizeAttenuation),e.push(t.morphTargetsCount),e.push(t.numSunLights),e.push(t.numDirLights),e.push(t.numPointLights),e.push(t.numSpotLights),e.push(t.numSpotLightMaps),e.push(t.numHemiLights),e.push(t.numRectAreaLights),e.push(t.numSunLightShadows),e.push(t.numDirLightShadows),e.push(t.numPointLightShadows),e.push(t.numSpotLightShadows),e.push(t.numSpotLightShadowsWithMaps),e.push(t.numLightProbes),e.push(t.numLightProbeGrids),e.push(t.shadowMapType),e.push(t.toneMapping),e.push(t.numClippingPlanes),e.push(t.numClipIntersection),e.push(t.depthPacking)}function _(e,t){o.disableAll(),t.instancing&&o.enable(0),t.instancingColor&&o.enable(1),t.instancingMorph&&o.enable(2),t.matcap&&o.enable(3),t.envMap&&o.enable(4),t.normalMapObjectSpace&&o.enable(5),t.normalMapTangentSpace&&o.enable(6),t.clearcoat&&o.enable(7),t.iridescence&&o.enable(8),t.alphaTest&&o.enable(9),t.vertexColors&&o.enable(10),t.vertexAlphas&&o.enable(11),t.vertexUv1s&&o.enable(12),t.vertexUv2s&&o.enable(13),t.vertexUv3s&&o.enable(14),t.vertexTangents&&o.enable(15),t.anisotropy&&o.enable(16),t.alphaHash&&o.enable(17),t.batching&&o.enable(18),t.dispersion&&o.enable(19),t.retroreflection&&o.enable(24),t.diffuseRoughness&&o.enable(25),t.batchingColor&&o.enable(20),t.gradientMap&&o.enable(21),t.packedNormalMap&&o.enable(22),t.vertexNormals&&o.enable(23),e.push(o.mask),o.disableAll(),t.fog&&o.enable(0),t.useFog&&o.enable(1),t.flatShading&&o.enable(2),t.logarithmicDepthBuffer&&o.enable(3),t.reversedDepthBuffer&&o.enable(4),t.skinning&&o.enable(5),t.morphTargets&&o.enable(6),t.morphNormals&&o.enable(7),t.morphColors&&o.enable(8),t.premultipliedAlpha&&o.enable(9),t.shadowMapEnabled&&o.enable(10),t.doubleSided&&o.enable(11),t.flipSided&&o.enable(12),t.useDepthPacking&&o.enable(13),t.dithering&&o.enable(14),t.transmission&&o.enable(15),t.sheen&&o.enable(16),t.opaque&&o.enable(17),t.pointsUvs&&o.enable(18),t.decodeVideoTexture&&o.enable(19),t.decodeVideoTextureEmissive&&o.enable(20),t.alphaToCoverage&&o.enable(21),t.numLightProbeGrids>0&&o.enable(22),t.hasPositionAttribute&&o.enable(23),e.push(o.mask)}function v(e){let t=f[e.type],n;if(t){let e=Ku[t];n=Wl.clone(e.uniforms)}else n=e.uniforms;return n}function y(t,n){let r=u.get(n);return r===void 0?(r=new mp(e,n,t,i),l.push(r),u.set(n,r)):++r.usedTimes,r}function b(e){if(--e.usedTimes===0){let t=l.indexOf(e);l[t]=l[l.length-1],l.pop(),u.delete(e.cacheKey),e.destroy()}}function x(e){s.remove(e)}function S(){s.dispose()}return{getParameters:m,getProgramCacheKey:h,getUniforms:v,acquireProgram:y,releaseProgram:b,releaseShaderCache:x,programs:l,dispose:S}}function bp(){let e=new WeakMap;function t(t){return e.has(t)}function n(t){let n=e.get(t);return n===void 0&&(n={},e.set(t,n)),n}function r(t){e.delete(t)}function i(t,n,r){e.get(t)[n]=r}function a(){e=new WeakMap}return{has:t,get:n,remove:r,update:i,dispose:a}}function xp(e,t){return e.groupOrder===t.groupOrder?e.renderOrder===t.renderOrder?e.material.id===t.material.id?e.materialVariant===t.materialVariant?e.z===t.z?e.id-t.id:e.z-t.z:e.materialVariant-t.materialVariant:e.material.id-t.material.id:e.renderOrder-t.renderOrder:e.groupOrder-t.groupOrder}function Sp(e,t){return e.groupOrder===t.groupOrder?e.renderOrder===t.renderOrder?e.z===t.z?e.id-t.id:t.z-e.z:e.renderOrder-t.renderOrder:e.groupOrder-t.groupOrder}function Cp(){let e=[],t=0,n=[],r=[],i=[];function a(){t=0,n.length=0,r.length=0,i.length=0}function o(e){let t=0;return e.isInstancedMesh&&(t+=2),e.isSkinnedMesh&&(t+=1),t}function s(n,r,i,a,s,c){let l=e[t];return l===void 0?(l={id:n.id,object:n,geometry:r,material:i,materialVariant:o(n),groupOrder:a,renderOrder:n.renderOrder,z:s,group:c},e[t]=l):(l.id=n.id,l.object=n,l.geometry=r,l.material=i,l.materialVariant=o(n),l.groupOrder=a,l.renderOrder=n.renderOrder,l.z=s,l.group=c),t++,l}function c(e,t,a,o,c,l,u){u.reversedDepth===!0&&(c=-c);let d=s(e,t,a,o,c,l);a.transmission>0?r.push(d):a.transparent===!0?i.push(d):n.push(d)}function l(e,t,a,o,c,l){let u=s(e,t,a,o,c,l);a.transmission>0?r.unshift(u):a.transparent===!0?i.unshift(u):n.unshift(u)}function u(e,t){n.length>1&&n.sort(e||xp),r.length>1&&r.sort(t||Sp),i.length>1&&i.sort(t||Sp)}function d(){for(let n=t,r=e.length;n<r;n++){let t=e[n];if(t.id===null)break;t.id=null,t.object=null,t.geometry=null,t.material=null,t.group=null}}return{opaque:n,transmissive:r,transparent:i,init:a,push:c,unshift:l,finish:d,sort:u}}function wp(){let e=new WeakMap;function t(t,n){let r=e.get(t),i;return r===void 0?(i=new Cp,e.set(t,[i])):n>=r.length?(i=new Cp,r.push(i)):i=r[n],i}function n(){e=new WeakMap}return{get:t,dispose:n}}function Tp(){let e={};return{get:function(t){if(e[t.id]!==void 0)return e[t.id];let n;switch(t.type){case`SunLight`:case`DirectionalLight`:n={direction:new X,color:new Xs};break;case`SpotLight`:n={position:new X,direction:new X,color:new Xs,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case`PointLight`:n={position:new X,color:new Xs,distance:0,decay:0};break;case`HemisphereLight`:n={direction:new X,skyColor:new Xs,groundColor:new Xs};break;case`RectAreaLight`:n={color:new Xs,position:new X,halfWidth:new X,halfHeight:new X}}return e[t.id]=n,n}}}function Ep(){let e={};return{get:function(t){if(e[t.id]!==void 0)return e[t.id];let n;switch(t.type){case`SunLight`:case`DirectionalLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Go};break;case`SpotLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Go};break;case`PointLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Go,shadowCameraNear:1,shadowCameraFar:1e3}}return e[t.id]=n,n}}}var Dp=0;function Op(e,t){return(t.castShadow?2:0)-(e.castShadow?2:0)+ +!!t.map-!!e.map}function kp(e){let t=new Tp,n=Ep(),r={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let e=0;e<9;e++)r.probe.push(new X);let i=new X,a=new hs,o=new hs;function s(i){let a=0,o=0,s=0;for(let e=0;e<9;e++)r.probe[e].set(0,0,0);let c=0,l=0,u=0,d=0,f=0,p=0,m=0,h=0,g=0,_=0,v=0,y=0,b=0,x=0;i.sort(Op);for(let e=0,S=i.length;e<S;e++){let S=i[e],C=S.color,w=S.intensity,T=S.distance,E=null;if(S.shadow&&S.shadow.map&&(E=S.shadow.map.texture.format===1030?S.shadow.map.texture:S.shadow.map.depthTexture||S.shadow.map.texture),S.isAmbientLight)a+=C.r*w,o+=C.g*w,s+=C.b*w;else if(S.isLightProbe){for(let e=0;e<9;e++)r.probe[e].addScaledVector(S.sh.coefficients[e],w);x++}else if(S.isSunLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize.copy(e.mapSize).multiply(e.getFrameExtents()),r.sunShadow[l]=t,r.sunShadowMap[l]=E;let i=e.getViewportCount();for(let t=0;t<i;t++)r.sunShadowMatrix[u+t]=e.getMatrix(t),r.sunShadowCascade[u+t]=e._cascadeData[t];u+=i,l++}r.sun[c]=e,c++}else if(S.isDirectionalLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize=e.mapSize,r.directionalShadow[d]=t,r.directionalShadowMap[d]=E,r.directionalShadowMatrix[d]=S.shadow.matrix,g++}r.directional[d]=e,d++}else if(S.isSpotLight){let e=t.get(S);e.position.setFromMatrixPosition(S.matrixWorld),e.color.copy(C).multiplyScalar(w),e.distance=T,e.coneCos=Math.cos(S.angle),e.penumbraCos=Math.cos(S.angle*(1-S.penumbra)),e.decay=S.decay,r.spot[p]=e;let i=S.shadow;if(S.map&&(r.spotLightMap[y]=S.map,y++,i.updateMatrices(S),S.castShadow&&b++),r.spotLightMatrix[p]=i.matrix,S.castShadow){let e=n.get(S);e.shadowIntensity=i.intensity,e.shadowBias=i.bias,e.shadowNormalBias=i.normalBias,e.shadowRadius=i.radius,e.shadowMapSize=i.mapSize,r.spotShadow[p]=e,r.spotShadowMap[p]=E,v++}p++}else if(S.isRectAreaLight){let e=t.get(S);e.color.copy(C).multiplyScalar(w),e.halfWidth.set(S.width*.5,0,0),e.halfHeight.set(0,S.height*.5,0),r.rectArea[m]=e,m++}else if(S.isPointLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),e.distance=S.distance,e.decay=S.decay,S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize=e.mapSize,t.shadowCameraNear=e.camera.near,t.shadowCameraFar=e.camera.far,r.pointShadow[f]=t,r.pointShadowMap[f]=E,r.pointShadowMatrix[f]=S.shadow.matrix,_++}r.point[f]=e,f++}else if(S.isHemisphereLight){let e=t.get(S);e.skyColor.copy(S.color).multiplyScalar(w),e.groundColor.copy(S.groundColor).multiplyScalar(w),r.hemi[h]=e,h++}}m>0&&(e.has(`OES_texture_float_linear`)===!0?(r.rectAreaLTC1=$.LTC_FLOAT_1,r.rectAreaLTC2=$.LTC_FLOAT_2):(r.rectAreaLTC1=$.LTC_HALF_1,r.rectAreaLTC2=$.LTC_HALF_2)),r.ambient[0]=a,r.ambient[1]=o,r.ambient[2]=s;let S=r.hash;(S.sunLength!==c||S.directionalLength!==d||S.pointLength!==f||S.spotLength!==p||S.rectAreaLength!==m||S.hemiLength!==h||S.numSunShadows!==l||S.numDirectionalShadows!==g||S.numPointShadows!==_||S.numSpotShadows!==v||S.numSpotMaps!==y||S.numLightProbes!==x)&&(r.sun.length=c,r.directional.length=d,r.spot.length=p,r.rectArea.length=m,r.point.length=f,r.hemi.length=h,r.sunShadow.length=l,r.sunShadowMap.length=l,r.sunShadowMatrix.length=u,r.sunShadowCascade.length=u,r.directionalShadow.length=g,r.directionalShadowMap.length=g,r.directionalShadowMatrix.length=g,r.pointShadow.length=_,r.pointShadowMap.length=_,r.pointShadowMatrix.length=_,r.spotShadow.length=v,r.spotShadowMap.length=v,r.spotLightMatrix.length=v+y-b,r.spotLightMap.length=y,r.numSpotLightShadowsWithMaps=b,r.numLightProbes=x,S.sunLength=c,S.directionalLength=d,S.pointLength=f,S.spotLength=p,S.rectAreaLength=m,S.hemiLength=h,S.numSunShadows=l,S.numDirectionalShadows=g,S.numPointShadows=_,S.numSpotShadows=v,S.numSpotMaps=y,S.numLightProbes=x,r.version=Dp++)}function c(e,t){let n=0,s=0,c=0,l=0,u=0,d=0,f=t.matrixWorldInverse;for(let t=0,p=e.length;t<p;t++){let p=e[t];if(p.isSunLight){let e=r.sun[n];e.direction.setFromMatrixPosition(p.matrixWorld),e.direction.transformDirection(f),n++}else if(p.isDirectionalLight){let e=r.directional[s];e.direction.setFromMatrixPosition(p.matrixWorld),i.setFromMatrixPosition(p.target.matrixWorld),e.direction.sub(i),e.direction.transformDirection(f),s++}else if(p.isSpotLight){let e=r.spot[l];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),e.direction.setFromMatrixPosition(p.matrixWorld),i.setFromMatrixPosition(p.target.matrixWorld),e.direction.sub(i),e.direction.transformDirection(f),l++}else if(p.isRectAreaLight){let e=r.rectArea[u];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),o.identity(),a.copy(p.matrixWorld),a.premultiply(f),o.extractRotation(a),e.halfWidth.set(p.width*.5,0,0),e.halfHeight.set(0,p.height*.5,0),e.halfWidth.applyMatrix4(o),e.halfHeight.applyMatrix4(o),u++}else if(p.isPointLight){let e=r.point[c];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),c++}else if(p.isHemisphereLight){let e=r.hemi[d];e.direction.setFromMatrixPosition(p.matrixWorld),e.direction.transformDirection(f),d++}}}return{setup:s,setupView:c,state:r}}function Ap(e){let t=new kp(e),n=[],r=[],i=[];function a(e){u.camera=e,n.length=0,r.length=0,i.length=0}function o(e){e.isLightProbeGrid?i.push(e):n.push(e)}function s(e){r.push(e)}function c(){t.setup(n),i.sort((e,t)=>e.priority-t.priority||e.id-t.id)}function l(e){t.setupView(n,e)}let u={lightsArray:n,shadowsArray:r,lightProbeGridArray:i,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:a,state:u,setupLights:c,setupLightsView:l,pushLight:o,pushShadow:s}}function jp(e){let t=new WeakMap;function n(n,r=0){let i=t.get(n),a;return i===void 0?(a=new Ap(e),t.set(n,[a])):r>=i.length?(a=new Ap(e),i.push(a)):a=i[r],a}function r(){t=new WeakMap}return{get:n,dispose:r}}var Mp=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,Np=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,Pp=[new X(1,0,0),new X(-1,0,0),new X(0,1,0),new X(0,-1,0),new X(0,0,1),new X(0,0,-1)],Fp=[new X(0,-1,0),new X(0,-1,0),new X(0,0,1),new X(0,0,-1),new X(0,-1,0),new X(0,-1,0)],Ip=new hs,Lp=new X,Rp=new X;function zp(e,t,n){let r=new Cl,i=new Go,a=new Go,o=new us,s=new Yl,c=new Xl,l={},u=n.maxTextureSize,d={0:1,1:0,2:2},f=new ql({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new Go},radius:{value:4}},vertexShader:Mp,fragmentShader:Np}),p=f.clone();p.defines.HORIZONTAL_PASS=1;let m=new Kc;m.setAttribute(`position`,new jc(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let h=new gl(m,f),g=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=1;let _=this.type;this.render=function(t,n,s){if(g.enabled===!1||g.autoUpdate===!1&&g.needsUpdate===!1||t.length===0)return;this.type===2&&(J(`WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead.`),this.type=1);let c=e.getRenderTarget(),l=e.getActiveCubeFace(),d=e.getActiveMipmapLevel(),f=e.state;f.setBlending(0),f.buffers.depth.getReversed()===!0?f.buffers.color.setClear(0,0,0,0):f.buffers.color.setClear(1,1,1,1),f.buffers.depth.setTest(!0),f.setScissorTest(!1);let p=_!==this.type;p&&n.traverse(function(e){e.material&&(Array.isArray(e.material)?e.material.forEach(e=>e.needsUpdate=!0):e.material.needsUpdate=!0)});for(let c=0,l=t.length;c<l;c++){let l=t[c],d=l.shadow;if(d===void 0){J(`WebGLShadowMap:`,l,`has no shadow.`);continue}if(d.autoUpdate===!1&&d.needsUpdate===!1)continue;i.copy(d.mapSize);let m=d.getFrameExtents();i.multiply(m),a.copy(d.mapSize),(i.x>u||i.y>u)&&(i.x>u&&(a.x=Math.floor(u/m.x),i.x=a.x*m.x,d.mapSize.x=a.x),i.y>u&&(a.y=Math.floor(u/m.y),i.y=a.y*m.y,d.mapSize.y=a.y));let h=e.state.buffers.depth.getReversed();if(d.camera._reversedDepth=h,d.map===null||p===!0){if(d.map!==null&&(d.map.depthTexture!==null&&(d.map.depthTexture.dispose(),d.map.depthTexture=null),d.map.dispose()),this.type===3){if(l.isPointLight){J(`WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.`);continue}d.map=new fs(i.x,i.y,{format:ba,type:sa,minFilter:Zi,magFilter:Zi,generateMipmaps:!1}),d.map.texture.name=l.name+`.shadowMap`,d.map.depthTexture=new Pl(i.x,i.y,oa),d.map.depthTexture.name=l.name+`.shadowMapDepth`,d.map.depthTexture.format=ga,d.map.depthTexture.compareFunction=null,d.map.depthTexture.minFilter=Ji,d.map.depthTexture.magFilter=Ji}else l.isPointLight?(d.map=new td(i.x),d.map.depthTexture=new Fl(i.x,aa)):(d.map=new fs(i.x,i.y),d.map.depthTexture=new Pl(i.x,i.y,aa)),d.map.depthTexture.name=l.name+`.shadowMap`,d.map.depthTexture.format=ga,this.type===1?(d.map.depthTexture.compareFunction=h?518:515,d.map.depthTexture.minFilter=Zi,d.map.depthTexture.magFilter=Zi):(d.map.depthTexture.compareFunction=null,d.map.depthTexture.minFilter=Ji,d.map.depthTexture.magFilter=Ji);d.camera.updateProjectionMatrix()}d.map.isWebGLCubeRenderTarget!==!0&&(d.map.width!==i.x||d.map.height!==i.y)&&d.map.setSize(i.x,i.y);let g=d.map.isWebGLCubeRenderTarget?6:d.getViewportCount();l.isPointLight!==!0&&d.updateMatrices(l,s);let _=d.camera.layers.mask&4294967294?d.camera.layers:s.layers;for(let t=0;t<g;t++){let i=d.getCamera(t);if(l.isPointLight){let e=d.camera,n=d.matrix,r=l.distance||e.far;r!==e.far&&(e.far=r,e.updateProjectionMatrix()),Lp.setFromMatrixPosition(l.matrixWorld),e.position.copy(Lp),Rp.copy(e.position),Rp.add(Pp[t]),e.up.copy(Fp[t]),e.lookAt(Rp),e.updateMatrixWorld(),n.makeTranslation(-Lp.x,-Lp.y,-Lp.z),Ip.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),d._frustum.setFromProjectionMatrix(Ip,e.coordinateSystem,e.reversedDepth)}if(d.map.isWebGLCubeRenderTarget)e.setRenderTarget(d.map,t),e.clear();else{t===0&&(e.setRenderTarget(d.map),e.clear());let n=d.getViewport(t);o.set(a.x*n.x,a.y*n.y,a.x*n.z,a.y*n.w),f.viewport(o)}r=d.getFrustum(t),b(n,s,i,l,_,this.type)}d.isPointLightShadow!==!0&&this.type===3&&v(d,s),d.needsUpdate=!1}_=this.type,g.needsUpdate=!1,e.setRenderTarget(c,l,d)};function v(n,r){let a=t.update(h);f.defines.VSM_SAMPLES!==n.blurSamples&&(f.defines.VSM_SAMPLES=n.blurSamples,p.defines.VSM_SAMPLES=n.blurSamples,f.needsUpdate=!0,p.needsUpdate=!0),n.mapPass===null?n.mapPass=new fs(i.x,i.y,{format:ba,type:sa}):(n.mapPass.width!==n.map.width||n.mapPass.height!==n.map.height)&&n.mapPass.setSize(n.map.width,n.map.height),f.uniforms.shadow_pass.value=n.map.depthTexture,f.uniforms.resolution.value.set(n.map.width,n.map.height),f.uniforms.radius.value=n.radius,e.setRenderTarget(n.mapPass),e.clear(),e.renderBufferDirect(r,null,a,f,h,null),p.uniforms.shadow_pass.value=n.mapPass.texture,p.uniforms.resolution.value.set(n.map.width,n.map.height),p.uniforms.radius.value=n.radius,e.setRenderTarget(n.map),e.clear(),e.renderBufferDirect(r,null,a,p,h,null)}function y(t,n,r,i){let a=null,o=r.isPointLight===!0?t.customDistanceMaterial:t.customDepthMaterial;if(o!==void 0)a=o;else if(a=r.isPointLight===!0?c:s,e.localClippingEnabled&&n.clipShadows===!0&&Array.isArray(n.clippingPlanes)&&n.clippingPlanes.length!==0||n.displacementMap&&n.displacementScale!==0||n.alphaMap&&n.alphaTest>0||n.map&&n.alphaTest>0||n.alphaToCoverage===!0){let e=a.uuid,t=n.uuid,r=l[e];r===void 0&&(r={},l[e]=r);let i=r[t];i===void 0&&(i=a.clone(),r[t]=i,n.addEventListener(`dispose`,x)),a=i}if(a.visible=n.visible,a.wireframe=n.wireframe,i===3?a.side=n.shadowSide===null?n.side:n.shadowSide:a.side=n.shadowSide===null?d[n.side]:n.shadowSide,a.alphaMap=n.alphaMap,a.alphaTest=n.alphaToCoverage===!0?.5:n.alphaTest,a.map=n.map,a.clipShadows=n.clipShadows,a.clippingPlanes=n.clippingPlanes,a.clipIntersection=n.clipIntersection,a.displacementMap=n.displacementMap,a.displacementScale=n.displacementScale,a.displacementBias=n.displacementBias,a.wireframeLinewidth=n.wireframeLinewidth,a.linewidth=n.linewidth,r.isPointLight===!0&&a.isMeshDistanceMaterial===!0){let t=e.properties.get(a);t.light=r}return a}function b(n,i,a,o,s,c){if(n.visible===!1)return;if(n.layers.test(s)&&(n.isMesh||n.isLine||n.isPoints)&&(n.castShadow||n.receiveShadow&&c===3)&&(!n.frustumCulled||n.intersectsFrustum(r))){n.modelViewMatrix.multiplyMatrices(a.matrixWorldInverse,n.matrixWorld);let r=t.update(n),s=n.material;if(Array.isArray(s)){let t=r.groups;for(let l=0,u=t.length;l<u;l++){let u=t[l],d=s[u.materialIndex];if(d&&d.visible){let t=y(n,d,o,c);n.onBeforeShadow(e,n,i,a,r,t,u),e.renderBufferDirect(a,null,r,t,n,u),n.onAfterShadow(e,n,i,a,r,t,u)}}}else if(s.visible){let t=y(n,s,o,c);n.onBeforeShadow(e,n,i,a,r,t,null),e.renderBufferDirect(a,null,r,t,n,null),n.onAfterShadow(e,n,i,a,r,t,null)}}let l=n.children;for(let e=0,t=l.length;e<t;e++)b(l[e],i,a,o,s,c)}function x(e){e.target.removeEventListener(`dispose`,x);for(let t in l){let n=l[t],r=e.target.uuid;r in n&&(n[r].dispose(),delete n[r])}}}function Bp(e,t){function n(){let t=!1,n=new us,r=null,i=new us(0,0,0,0);return{setMask:function(n){r!==n&&!t&&(e.colorMask(n,n,n,n),r=n)},setLocked:function(e){t=e},setClear:function(t,r,a,o,s){s===!0&&(t*=o,r*=o,a*=o),n.set(t,r,a,o),i.equals(n)===!1&&(e.clearColor(t,r,a,o),i.copy(n))},reset:function(){t=!1,r=null,i.set(-1,0,0,0)}}}function r(){let n=!1,r=!1,i=null,a=null,o=null;return{setReversed:function(e){if(r!==e){let n=t.get(`EXT_clip_control`);e?n.clipControlEXT(n.LOWER_LEFT_EXT,n.ZERO_TO_ONE_EXT):n.clipControlEXT(n.LOWER_LEFT_EXT,n.NEGATIVE_ONE_TO_ONE_EXT),r=e;let i=o;o=null,this.setClear(i)}},getReversed:function(){return r},setTest:function(t){t?re(e.DEPTH_TEST):ie(e.DEPTH_TEST)},setMask:function(t){i!==t&&!n&&(e.depthMask(t),i=t)},setFunc:function(t){if(r&&(t=Mo[t]),a!==t){switch(t){case 0:e.depthFunc(e.NEVER);break;case 1:e.depthFunc(e.ALWAYS);break;case 2:e.depthFunc(e.LESS);break;case 3:e.depthFunc(e.LEQUAL);break;case 4:e.depthFunc(e.EQUAL);break;case 5:e.depthFunc(e.GEQUAL);break;case 6:e.depthFunc(e.GREATER);break;case 7:e.depthFunc(e.NOTEQUAL);break;default:e.depthFunc(e.LEQUAL)}a=t}},setLocked:function(e){n=e},setClear:function(t){o!==t&&(o=t,r&&(t=1-t),e.clearDepth(t))},reset:function(){n=!1,i=null,a=null,o=null,r=!1}}}function i(){let t=!1,n=null,r=null,i=null,a=null,o=null,s=null,c=null,l=null;return{setTest:function(n){t||(n?re(e.STENCIL_TEST):ie(e.STENCIL_TEST))},setMask:function(r){n!==r&&!t&&(e.stencilMask(r),n=r)},setFunc:function(t,n,o){(r!==t||i!==n||a!==o)&&(e.stencilFunc(t,n,o),r=t,i=n,a=o)},setOp:function(t,n,r){(o!==t||s!==n||c!==r)&&(e.stencilOp(t,n,r),o=t,s=n,c=r)},setLocked:function(e){t=e},setClear:function(t){l!==t&&(e.clearStencil(t),l=t)},reset:function(){t=!1,n=null,r=null,i=null,a=null,o=null,s=null,c=null,l=null}}}let a=new n,o=new r,s=new i,c={},l=new WeakMap,u={},d={},f={},p=new WeakMap,m=[],h=null,g=!1,_=null,v=null,y=null,b=null,x=null,S=null,C=null,w=new Xs(0,0,0),T=0,E=!1,D=null,O=null,k=null,A=null,j=null,M=e.getParameter(e.MAX_COMBINED_TEXTURE_IMAGE_UNITS),N=!1,P=0,F=e.getParameter(e.VERSION);F.indexOf(`WebGL`)===-1?F.indexOf(`OpenGL ES`)!==-1&&(P=parseFloat(/^OpenGL ES (\d)/.exec(F)[1]),N=P>=2):(P=parseFloat(/^WebGL (\d)/.exec(F)[1]),N=P>=1);let I=null,ee={},L=e.getParameter(e.SCISSOR_BOX),R=e.getParameter(e.VIEWPORT),te=new us().fromArray(L),ne=new us().fromArray(R);function z(t,n,r,i){let a=new Uint8Array(4),o=e.createTexture();e.bindTexture(t,o),e.texParameteri(t,e.TEXTURE_MIN_FILTER,e.NEAREST),e.texParameteri(t,e.TEXTURE_MAG_FILTER,e.NEAREST);for(let o=0;o<r;o++)t===e.TEXTURE_3D||t===e.TEXTURE_2D_ARRAY?e.texImage3D(n,0,e.RGBA,1,1,i,0,e.RGBA,e.UNSIGNED_BYTE,a):e.texImage2D(n+o,0,e.RGBA,1,1,0,e.RGBA,e.UNSIGNED_BYTE,a);return o}let B={};B[e.TEXTURE_2D]=z(e.TEXTURE_2D,e.TEXTURE_2D,1),B[e.TEXTURE_CUBE_MAP]=z(e.TEXTURE_CUBE_MAP,e.TEXTURE_CUBE_MAP_POSITIVE_X,6),B[e.TEXTURE_2D_ARRAY]=z(e.TEXTURE_2D_ARRAY,e.TEXTURE_2D_ARRAY,1,1),B[e.TEXTURE_3D]=z(e.TEXTURE_3D,e.TEXTURE_3D,1,1),a.setClear(0,0,0,1),o.setClear(1),s.setClear(0),re(e.DEPTH_TEST),o.setFunc(3),fe(!1),pe(1),re(e.CULL_FACE),ue(0);function re(t){u[t]!==!0&&(e.enable(t),u[t]=!0)}function ie(t){u[t]!==!1&&(e.disable(t),u[t]=!1)}function ae(t,n){return f[t]!==n&&(e.bindFramebuffer(t,n),f[t]=n,t===e.DRAW_FRAMEBUFFER&&(f[e.FRAMEBUFFER]=n),t===e.FRAMEBUFFER&&(f[e.DRAW_FRAMEBUFFER]=n),!0)}function oe(t,n){let r=m,i=!1;if(t){r=p.get(n),r===void 0&&(r=[],p.set(n,r));let a=t.textures;if(r.length!==a.length||r[0]!==e.COLOR_ATTACHMENT0){for(let t=0,n=a.length;t<n;t++)r[t]=e.COLOR_ATTACHMENT0+t;r.length=a.length,i=!0}}else r[0]!==e.BACK&&(r[0]=e.BACK,i=!0);i&&e.drawBuffers(r)}function se(t){return h!==t&&(e.useProgram(t),h=t,!0)}let ce={100:e.FUNC_ADD,101:e.FUNC_SUBTRACT,102:e.FUNC_REVERSE_SUBTRACT};ce[103]=e.MIN,ce[104]=e.MAX;let le={200:e.ZERO,201:e.ONE,202:e.SRC_COLOR,204:e.SRC_ALPHA,210:e.SRC_ALPHA_SATURATE,208:e.DST_COLOR,206:e.DST_ALPHA,203:e.ONE_MINUS_SRC_COLOR,205:e.ONE_MINUS_SRC_ALPHA,209:e.ONE_MINUS_DST_COLOR,207:e.ONE_MINUS_DST_ALPHA,211:e.CONSTANT_COLOR,212:e.ONE_MINUS_CONSTANT_COLOR,213:e.CONSTANT_ALPHA,214:e.ONE_MINUS_CONSTANT_ALPHA};function ue(t,n,r,i,a,o,s,c,l,u){if(t===0)g===!0&&(ie(e.BLEND),g=!1);else if(g===!1&&(re(e.BLEND),g=!0),t!==5){if(t!==_||u!==E){if((v!==100||x!==100)&&(e.blendEquation(e.FUNC_ADD),v=100,x=100),u)switch(t){case 1:e.blendFuncSeparate(e.ONE,e.ONE_MINUS_SRC_ALPHA,e.ONE,e.ONE_MINUS_SRC_ALPHA);break;case 2:e.blendFunc(e.ONE,e.ONE);break;case 3:e.blendFuncSeparate(e.ZERO,e.ONE_MINUS_SRC_COLOR,e.ZERO,e.ONE);break;case 4:e.blendFuncSeparate(e.DST_COLOR,e.ONE_MINUS_SRC_ALPHA,e.ZERO,e.ONE);break;default:Y(`WebGLState: Invalid blending: `,t)}else switch(t){case 1:e.blendFuncSeparate(e.SRC_ALPHA,e.ONE_MINUS_SRC_ALPHA,e.ONE,e.ONE_MINUS_SRC_ALPHA);break;case 2:e.blendFuncSeparate(e.SRC_ALPHA,e.ONE,e.ONE,e.ONE);break;case 3:Y(`WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true`);break;case 4:Y(`WebGLState: MultiplyBlending requires material.premultipliedAlpha = true`);break;default:Y(`WebGLState: Invalid blending: `,t)}y=null,b=null,S=null,C=null,w.set(0,0,0),T=0,_=t,E=u}}else a||=n,o||=r,s||=i,(n!==v||a!==x)&&(e.blendEquationSeparate(ce[n],ce[a]),v=n,x=a),(r!==y||i!==b||o!==S||s!==C)&&(e.blendFuncSeparate(le[r],le[i],le[o],le[s]),y=r,b=i,S=o,C=s),(c.equals(w)===!1||l!==T)&&(e.blendColor(c.r,c.g,c.b,l),w.copy(c),T=l),_=t,E=!1}function de(t,n){t.side===2?ie(e.CULL_FACE):re(e.CULL_FACE);let r=t.side===1;n&&(r=!r),fe(r),t.blending===1&&t.transparent===!1?ue(0):ue(t.blending,t.blendEquation,t.blendSrc,t.blendDst,t.blendEquationAlpha,t.blendSrcAlpha,t.blendDstAlpha,t.blendColor,t.blendAlpha,t.premultipliedAlpha),o.setFunc(t.depthFunc),o.setTest(t.depthTest),o.setMask(t.depthWrite),a.setMask(t.colorWrite);let i=t.stencilWrite;s.setTest(i),i&&(s.setMask(t.stencilWriteMask),s.setFunc(t.stencilFunc,t.stencilRef,t.stencilFuncMask),s.setOp(t.stencilFail,t.stencilZFail,t.stencilZPass)),he(t.polygonOffset,t.polygonOffsetFactor,t.polygonOffsetUnits),t.alphaToCoverage===!0?re(e.SAMPLE_ALPHA_TO_COVERAGE):ie(e.SAMPLE_ALPHA_TO_COVERAGE)}function fe(t){D!==t&&(t?e.frontFace(e.CW):e.frontFace(e.CCW),D=t)}function pe(t){t===0?ie(e.CULL_FACE):(re(e.CULL_FACE),t!==O&&(t===1?e.cullFace(e.BACK):t===2?e.cullFace(e.FRONT):e.cullFace(e.FRONT_AND_BACK))),O=t}function me(t){t!==k&&(N&&e.lineWidth(t),k=t)}function he(t,n,r){t?(re(e.POLYGON_OFFSET_FILL),(A!==n||j!==r)&&(A=n,j=r,o.getReversed()&&(n=-n,r=-r),e.polygonOffset(n,r))):ie(e.POLYGON_OFFSET_FILL)}function ge(t){t?re(e.SCISSOR_TEST):ie(e.SCISSOR_TEST)}function _e(t){t===void 0&&(t=e.TEXTURE0+M-1),I!==t&&(e.activeTexture(t),I=t)}function V(t,n,r){r===void 0&&(r=I===null?e.TEXTURE0+M-1:I);let i=ee[r];i===void 0&&(i={type:void 0,texture:void 0},ee[r]=i),(i.type!==t||i.texture!==n)&&(I!==r&&(e.activeTexture(r),I=r),e.bindTexture(t,n||B[t]),i.type=t,i.texture=n)}function H(){let t=ee[I];t!==void 0&&t.type!==void 0&&(e.bindTexture(t.type,null),t.type=void 0,t.texture=void 0)}function U(){try{e.compressedTexImage2D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function ve(){try{e.compressedTexImage3D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function W(){try{e.texSubImage2D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function ye(){try{e.texSubImage3D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function G(){try{e.compressedTexSubImage2D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function K(){try{e.compressedTexSubImage3D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function be(){try{e.texStorage2D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function xe(){try{e.texStorage3D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function Se(){try{e.texImage2D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function Ce(){try{e.texImage3D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function we(t){return d[t]===void 0?e.getParameter(t):d[t]}function Te(t,n){d[t]!==n&&(e.pixelStorei(t,n),d[t]=n)}function Ee(t){te.equals(t)===!1&&(e.scissor(t.x,t.y,t.z,t.w),te.copy(t))}function De(t){ne.equals(t)===!1&&(e.viewport(t.x,t.y,t.z,t.w),ne.copy(t))}function Oe(t,n){let r=l.get(n);r===void 0&&(r=new WeakMap,l.set(n,r));let i=r.get(t);i===void 0&&(i=e.getUniformBlockIndex(n,t.name),e.uniformBlockBinding(n,i,i),r.set(t,i))}function ke(t,n,r){let i=l.get(n).get(t);c[i]!==r&&(e.bindBufferBase(e.UNIFORM_BUFFER,i,r),c[i]=r)}function Ae(){e.disable(e.BLEND),e.disable(e.CULL_FACE),e.disable(e.DEPTH_TEST),e.disable(e.POLYGON_OFFSET_FILL),e.disable(e.SCISSOR_TEST),e.disable(e.STENCIL_TEST),e.disable(e.SAMPLE_ALPHA_TO_COVERAGE),e.blendEquation(e.FUNC_ADD),e.blendFunc(e.ONE,e.ZERO),e.blendFuncSeparate(e.ONE,e.ZERO,e.ONE,e.ZERO),e.blendColor(0,0,0,0),e.colorMask(!0,!0,!0,!0),e.clearColor(0,0,0,0),e.depthMask(!0),e.depthFunc(e.LESS),o.setReversed(!1),e.clearDepth(1),e.stencilMask(4294967295),e.stencilFunc(e.ALWAYS,0,4294967295),e.stencilOp(e.KEEP,e.KEEP,e.KEEP),e.clearStencil(0),e.cullFace(e.BACK),e.frontFace(e.CCW),e.polygonOffset(0,0),e.activeTexture(e.TEXTURE0),e.bindFramebuffer(e.FRAMEBUFFER,null),e.bindFramebuffer(e.DRAW_FRAMEBUFFER,null),e.bindFramebuffer(e.READ_FRAMEBUFFER,null),e.useProgram(null),e.lineWidth(1),e.scissor(0,0,e.canvas.width,e.canvas.height),e.viewport(0,0,e.canvas.width,e.canvas.height),e.pixelStorei(e.PACK_ALIGNMENT,4),e.pixelStorei(e.UNPACK_ALIGNMENT,4),e.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,!1),e.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),e.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,e.BROWSER_DEFAULT_WEBGL),e.pixelStorei(e.PACK_ROW_LENGTH,0),e.pixelStorei(e.PACK_SKIP_PIXELS,0),e.pixelStorei(e.PACK_SKIP_ROWS,0),e.pixelStorei(e.UNPACK_ROW_LENGTH,0),e.pixelStorei(e.UNPACK_IMAGE_HEIGHT,0),e.pixelStorei(e.UNPACK_SKIP_PIXELS,0),e.pixelStorei(e.UNPACK_SKIP_ROWS,0),e.pixelStorei(e.UNPACK_SKIP_IMAGES,0),u={},d={},I=null,ee={},f={},c={},p=new WeakMap,m=[],h=null,g=!1,_=null,v=null,y=null,b=null,x=null,S=null,C=null,w=new Xs(0,0,0),T=0,E=!1,D=null,O=null,k=null,A=null,j=null,te.set(0,0,e.canvas.width,e.canvas.height),ne.set(0,0,e.canvas.width,e.canvas.height),a.reset(),o.reset(),s.reset()}return{buffers:{color:a,depth:o,stencil:s},enable:re,disable:ie,bindFramebuffer:ae,drawBuffers:oe,useProgram:se,setBlending:ue,setMaterial:de,setFlipSided:fe,setCullFace:pe,setLineWidth:me,setPolygonOffset:he,setScissorTest:ge,activeTexture:_e,bindTexture:V,unbindTexture:H,compressedTexImage2D:U,compressedTexImage3D:ve,texImage2D:Se,texImage3D:Ce,pixelStorei:Te,getParameter:we,updateUBOMapping:Oe,uniformBlockBinding:ke,texStorage2D:be,texStorage3D:xe,texSubImage2D:W,texSubImage3D:ye,compressedTexSubImage2D:G,compressedTexSubImage3D:K,scissor:Ee,viewport:De,reset:Ae}}function Vp(e,t,n,r,i,a,o){let s=t.has(`WEBGL_multisampled_render_to_texture`)?t.get(`WEBGL_multisampled_render_to_texture`):null,c=typeof navigator>`u`?!1:/OculusBrowser/g.test(navigator.userAgent),l=new Go,u=new WeakMap,d=new Set,f,p=new WeakMap,m=new Set,h=new FinalizationRegistry(e=>m.delete(e)),g=!1;try{g=typeof OffscreenCanvas<`u`&&new OffscreenCanvas(1,1).getContext(`2d`)!==null}catch{}function _(e,t){return g?new OffscreenCanvas(e,t):To(`canvas`)}function v(e,t,n){let r=1,i=be(e);if((i.width>n||i.height>n)&&(r=n/Math.max(i.width,i.height)),r<1){if(typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap||typeof VideoFrame<`u`&&e instanceof VideoFrame){let n=Math.floor(r*i.width),a=Math.floor(r*i.height);f===void 0&&(f=_(n,a));let o=t?_(n,a):f;return o.width=n,o.height=a,o.getContext(`2d`).drawImage(e,0,0,n,a),J(`WebGLRenderer: Texture has been resized from (`+i.width+`x`+i.height+`) to (`+n+`x`+a+`).`),o}return`data`in e&&J(`WebGLRenderer: Image in DataTexture is too big (`+i.width+`x`+i.height+`).`),e}return e}function y(e){return e.generateMipmaps}function b(t){e.generateMipmap(t)}function x(t){return t.isWebGLCubeRenderTarget?e.TEXTURE_CUBE_MAP:t.isWebGL3DRenderTarget?e.TEXTURE_3D:t.isWebGLArrayRenderTarget||t.isCompressedArrayTexture?e.TEXTURE_2D_ARRAY:e.TEXTURE_2D}function S(n,r,i,a,o,s=!1){if(n!==null){if(e[n]!==void 0)return e[n];J(`WebGLRenderer: Attempt to use non-existing WebGL internal format '`+n+`'`)}let c;a&&(c=t.get(`EXT_texture_norm16`),c||J(`WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension`));let l=r;if(r===e.RED&&(i===e.FLOAT&&(l=e.R32F),i===e.HALF_FLOAT&&(l=e.R16F),i===e.UNSIGNED_BYTE&&(l=e.R8),i===e.UNSIGNED_SHORT&&c&&(l=c.R16_EXT),i===e.SHORT&&c&&(l=c.R16_SNORM_EXT)),r===e.RED_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.R8UI),i===e.UNSIGNED_SHORT&&(l=e.R16UI),i===e.UNSIGNED_INT&&(l=e.R32UI),i===e.BYTE&&(l=e.R8I),i===e.SHORT&&(l=e.R16I),i===e.INT&&(l=e.R32I)),r===e.RG&&(i===e.FLOAT&&(l=e.RG32F),i===e.HALF_FLOAT&&(l=e.RG16F),i===e.UNSIGNED_BYTE&&(l=e.RG8),i===e.UNSIGNED_SHORT&&c&&(l=c.RG16_EXT),i===e.SHORT&&c&&(l=c.RG16_SNORM_EXT)),r===e.RG_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RG8UI),i===e.UNSIGNED_SHORT&&(l=e.RG16UI),i===e.UNSIGNED_INT&&(l=e.RG32UI),i===e.BYTE&&(l=e.RG8I),i===e.SHORT&&(l=e.RG16I),i===e.INT&&(l=e.RG32I)),r===e.RGB_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RGB8UI),i===e.UNSIGNED_SHORT&&(l=e.RGB16UI),i===e.UNSIGNED_INT&&(l=e.RGB32UI),i===e.BYTE&&(l=e.RGB8I),i===e.SHORT&&(l=e.RGB16I),i===e.INT&&(l=e.RGB32I)),r===e.RGBA_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RGBA8UI),i===e.UNSIGNED_SHORT&&(l=e.RGBA16UI),i===e.UNSIGNED_INT&&(l=e.RGBA32UI),i===e.BYTE&&(l=e.RGBA8I),i===e.SHORT&&(l=e.RGBA16I),i===e.INT&&(l=e.RGBA32I)),r===e.RGB&&(i===e.UNSIGNED_SHORT&&c&&(l=c.RGB16_EXT),i===e.SHORT&&c&&(l=c.RGB16_SNORM_EXT),i===e.UNSIGNED_INT_5_9_9_9_REV&&(l=e.RGB9_E5),i===e.UNSIGNED_INT_10F_11F_11F_REV&&(l=e.R11F_G11F_B10F)),r===e.RGBA){let t=s?go:$o.getTransfer(o);i===e.FLOAT&&(l=e.RGBA32F),i===e.HALF_FLOAT&&(l=e.RGBA16F),i===e.UNSIGNED_BYTE&&(l=t===`srgb`?e.SRGB8_ALPHA8:e.RGBA8),i===e.UNSIGNED_SHORT&&c&&(l=c.RGBA16_EXT),i===e.SHORT&&c&&(l=c.RGBA16_SNORM_EXT),i===e.UNSIGNED_SHORT_4_4_4_4&&(l=e.RGBA4),i===e.UNSIGNED_SHORT_5_5_5_1&&(l=e.RGB5_A1)}return(l===e.R16F||l===e.R32F||l===e.RG16F||l===e.RG32F||l===e.RGBA16F||l===e.RGBA32F)&&t.get(`EXT_color_buffer_float`),l}function C(t,n){let r;return t?n===null||n===1014||n===1020?r=e.DEPTH24_STENCIL8:n===1015?r=e.DEPTH32F_STENCIL8:n===1012&&(r=e.DEPTH24_STENCIL8,J(`DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.`)):n===null||n===1014||n===1020?r=e.DEPTH_COMPONENT24:n===1015?r=e.DEPTH_COMPONENT32F:n===1012&&(r=e.DEPTH_COMPONENT16),r}function w(e,t){return y(e)===!0||e.isFramebufferTexture&&e.minFilter!==1003&&e.minFilter!==1006?Math.log2(Math.max(t.width,t.height))+1:e.mipmaps.length>0?e.mipmaps.length:e.isCompressedTexture&&Array.isArray(e.image)?t.mipmaps.length:1}function T(e){let t=new WeakRef(e);r.get(e).__ref=t,m.add(t),h.register(e,t,t)}function E(e){let t=r.get(e).__ref;t!==void 0&&(m.delete(t),h.unregister(t))}function D(e){k(e.target)}function O(e){A(e.target)}function k(e){e.removeEventListener(`dispose`,D),E(e),M(e),e.isVideoTexture&&u.delete(e),e.isHTMLTexture&&d.delete(e)}function A(e){e.removeEventListener(`dispose`,O),E(e),P(e)}function j(){for(let e of m){let t=e.deref();t!==void 0&&(t.isRenderTarget===!0?A(t):k(t))}m.clear(),d.clear()}function M(e){let t=r.get(e);if(t.__webglInit===void 0)return;let n=e.source,i=p.get(n);if(i){let r=i[t.__cacheKey];r.usedTimes--,r.usedTimes===0&&N(e),Object.keys(i).length===0&&p.delete(n)}r.remove(e)}function N(t){let n=r.get(t);e.deleteTexture(n.__webglTexture);let i=t.source,a=p.get(i);delete a[n.__cacheKey],o.memory.textures--}function P(t){let n=r.get(t);n.__depthDisposeCallback&&n.__depthDisposeCallback();let i=t.depthTexture;if(i&&i.renderTarget===t&&k(i),t.isWebGLCubeRenderTarget)for(let t=0;t<6;t++){if(Array.isArray(n.__webglFramebuffer[t]))for(let r=0;r<n.__webglFramebuffer[t].length;r++)e.deleteFramebuffer(n.__webglFramebuffer[t][r]);else e.deleteFramebuffer(n.__webglFramebuffer[t]);n.__webglDepthbuffer&&e.deleteRenderbuffer(n.__webglDepthbuffer[t])}else{if(Array.isArray(n.__webglFramebuffer))for(let t=0;t<n.__webglFramebuffer.length;t++)e.deleteFramebuffer(n.__webglFramebuffer[t]);else e.deleteFramebuffer(n.__webglFramebuffer);if(n.__webglDepthbuffer&&e.deleteRenderbuffer(n.__webglDepthbuffer),n.__webglMultisampledFramebuffer&&e.deleteFramebuffer(n.__webglMultisampledFramebuffer),n.__webglColorRenderbuffer)for(let t=0;t<n.__webglColorRenderbuffer.length;t++)n.__webglColorRenderbuffer[t]&&e.deleteRenderbuffer(n.__webglColorRenderbuffer[t]);n.__webglDepthRenderbuffer&&e.deleteRenderbuffer(n.__webglDepthRenderbuffer)}let a=t.textures;for(let t=0,n=a.length;t<n;t++){let n=r.get(a[t]);n.__webglTexture&&(e.deleteTexture(n.__webglTexture),o.memory.textures--),r.remove(a[t])}r.remove(t)}let F=0;function I(){F=0}function ee(){return F}function L(e){F=e}function R(){let e=F;return e>=i.maxTextures&&J(`WebGLTextures: Trying to use `+(e+1)+` texture units while this GPU supports only `+i.maxTextures),F+=1,e}function te(e){let t=[];return t.push(e.wrapS),t.push(e.wrapT),t.push(e.wrapR||0),t.push(e.magFilter),t.push(e.minFilter),t.push(e.anisotropy),t.push(e.internalFormat),t.push(e.format),t.push(e.type),t.push(e.generateMipmaps),t.push(e.mipmapsAutoUpdate),t.push(e.premultiplyAlpha),t.push(e.flipY),t.push(e.unpackAlignment),t.push(e.colorSpace),t.join()}function ne(t,i){let a=r.get(t);if(t.isVideoTexture&&G(t),t.isRenderTargetTexture===!1&&t.isExternalTexture!==!0&&t.version>0&&a.__version!==t.version){let e=t.image;if(e===null)J(`WebGLRenderer: Texture marked for update but no image data found.`);else if(e.complete===!1)J(`WebGLRenderer: Texture marked for update but image is incomplete`);else{de(a,t,i);return}}else t.isExternalTexture&&(a.__webglTexture=t.sourceTexture?t.sourceTexture:null);n.bindTexture(e.TEXTURE_2D,a.__webglTexture,e.TEXTURE0+i)}function z(t,i){let a=r.get(t);t.isRenderTargetTexture===!1&&t.version>0&&a.__version!==t.version?de(a,t,i):(t.isExternalTexture&&(a.__webglTexture=t.sourceTexture?t.sourceTexture:null),n.bindTexture(e.TEXTURE_2D_ARRAY,a.__webglTexture,e.TEXTURE0+i))}function B(t,i){let a=r.get(t);t.isRenderTargetTexture===!1&&t.version>0&&a.__version!==t.version?de(a,t,i):n.bindTexture(e.TEXTURE_3D,a.__webglTexture,e.TEXTURE0+i)}function re(t,i){let a=r.get(t);t.version>0&&a.__version!==t.version?fe(a,t,i):n.bindTexture(e.TEXTURE_CUBE_MAP,a.__webglTexture,e.TEXTURE0+i)}let ie={[Gi]:e.REPEAT,[Ki]:e.CLAMP_TO_EDGE,[qi]:e.MIRRORED_REPEAT},ae={[Ji]:e.NEAREST,[Yi]:e.NEAREST_MIPMAP_NEAREST,[Xi]:e.NEAREST_MIPMAP_LINEAR,[Zi]:e.LINEAR,[Qi]:e.LINEAR_MIPMAP_NEAREST,[$i]:e.LINEAR_MIPMAP_LINEAR},oe={512:e.NEVER,519:e.ALWAYS,513:e.LESS,515:e.LEQUAL,514:e.EQUAL,518:e.GEQUAL,516:e.GREATER,517:e.NOTEQUAL};function se(n,a){if(a.type===1015&&t.has(`OES_texture_float_linear`)===!1&&(a.magFilter===1006||a.magFilter===1007||a.magFilter===1005||a.magFilter===1008||a.minFilter===1006||a.minFilter===1007||a.minFilter===1005||a.minFilter===1008)&&J(`WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device.`),e.texParameteri(n,e.TEXTURE_WRAP_S,ie[a.wrapS]),e.texParameteri(n,e.TEXTURE_WRAP_T,ie[a.wrapT]),(n===e.TEXTURE_3D||n===e.TEXTURE_2D_ARRAY)&&e.texParameteri(n,e.TEXTURE_WRAP_R,ie[a.wrapR]),e.texParameteri(n,e.TEXTURE_MAG_FILTER,ae[a.magFilter]),e.texParameteri(n,e.TEXTURE_MIN_FILTER,ae[a.minFilter]),a.compareFunction&&(e.texParameteri(n,e.TEXTURE_COMPARE_MODE,e.COMPARE_REF_TO_TEXTURE),e.texParameteri(n,e.TEXTURE_COMPARE_FUNC,oe[a.compareFunction])),t.has(`EXT_texture_filter_anisotropic`)===!0){if(a.magFilter===1003||a.minFilter!==1005&&a.minFilter!==1008||a.type===1015&&t.has(`OES_texture_float_linear`)===!1)return;if(a.anisotropy>1||r.get(a).__currentAnisotropy){let o=t.get(`EXT_texture_filter_anisotropic`);e.texParameterf(n,o.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(a.anisotropy,i.getMaxAnisotropy())),r.get(a).__currentAnisotropy=a.anisotropy}}}function ce(t,n){let r=!1;t.__webglInit===void 0&&(t.__webglInit=!0,n.addEventListener(`dispose`,D),T(n));let i=n.source,a=p.get(i);a===void 0&&(a={},p.set(i,a));let s=te(n);if(s!==t.__cacheKey){a[s]===void 0&&(a[s]={texture:e.createTexture(),usedTimes:0},o.memory.textures++,r=!0),a[s].usedTimes++;let i=a[t.__cacheKey];i!==void 0&&(a[t.__cacheKey].usedTimes--,i.usedTimes===0&&N(n)),t.__cacheKey=s,t.__webglTexture=a[s].texture}return r}function le(e,t,n){return Math.floor(Math.floor(e/n)/t)}function ue(t,r,i,a){let o=t.updateRanges;if(o.length===0)n.texSubImage2D(e.TEXTURE_2D,0,0,0,r.width,r.height,i,a,r.data);else{o.sort((e,t)=>e.start-t.start);let s=0;for(let e=1;e<o.length;e++){let t=o[s],n=o[e],i=t.start+t.count,a=le(n.start,r.width,4),c=le(t.start,r.width,4);n.start<=i+1&&a===c&&le(n.start+n.count-1,r.width,4)===a?t.count=Math.max(t.count,n.start+n.count-t.start):(++s,o[s]=n)}o.length=s+1;let c=n.getParameter(e.UNPACK_ROW_LENGTH),l=n.getParameter(e.UNPACK_SKIP_PIXELS),u=n.getParameter(e.UNPACK_SKIP_ROWS);n.pixelStorei(e.UNPACK_ROW_LENGTH,r.width);for(let t=0,s=o.length;t<s;t++){let s=o[t],c=Math.floor(s.start/4),l=Math.ceil(s.count/4),u=c%r.width,d=Math.floor(c/r.width),f=l;n.pixelStorei(e.UNPACK_SKIP_PIXELS,u),n.pixelStorei(e.UNPACK_SKIP_ROWS,d),n.texSubImage2D(e.TEXTURE_2D,0,u,d,f,1,i,a,r.data)}t.clearUpdateRanges(),n.pixelStorei(e.UNPACK_ROW_LENGTH,c),n.pixelStorei(e.UNPACK_SKIP_PIXELS,l),n.pixelStorei(e.UNPACK_SKIP_ROWS,u)}}function de(t,o,s){let c=e.TEXTURE_2D;(o.isDataArrayTexture||o.isCompressedArrayTexture)&&(c=e.TEXTURE_2D_ARRAY),o.isData3DTexture&&(c=e.TEXTURE_3D);let l=ce(t,o),u=o.source;n.bindTexture(c,t.__webglTexture,e.TEXTURE0+s);let f=r.get(u);if(u.version!==f.__version||l===!0){if(n.activeTexture(e.TEXTURE0+s),!(typeof ImageBitmap<`u`&&o.image instanceof ImageBitmap)){let t=$o.getPrimaries($o.workingColorSpace),r=o.colorSpace===``?null:$o.getPrimaries(o.colorSpace),i=o.colorSpace===``||t===r?e.NONE:e.BROWSER_DEFAULT_WEBGL;n.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,o.flipY),n.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,o.premultiplyAlpha),n.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,i)}n.pixelStorei(e.UNPACK_ALIGNMENT,o.unpackAlignment);let t=v(o.image,!1,i.maxTextureSize);t=K(o,t);let r=a.convert(o.format,o.colorSpace),p=a.convert(o.type),m=S(o.internalFormat,r,p,o.normalized,o.colorSpace,o.isVideoTexture);se(c,o);let h,g=o.mipmaps,_=o.isVideoTexture!==!0,x=f.__version===void 0||l===!0,T=u.dataReady,E=w(o,t);if(o.isDepthTexture)m=C(o.format===_a,o.type),x&&(_?n.texStorage2D(e.TEXTURE_2D,1,m,t.width,t.height):n.texImage2D(e.TEXTURE_2D,0,m,t.width,t.height,0,r,p,null));else if(o.isDataTexture){if(g.length>0){_&&x&&n.texStorage2D(e.TEXTURE_2D,E,m,g[0].width,g[0].height);for(let t=0,i=g.length;t<i;t++)h=g[t],_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,p,h.data):n.texImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,r,p,h.data);o.generateMipmaps=!1}else _?(x&&n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height),T&&ue(o,t,r,p)):n.texImage2D(e.TEXTURE_2D,0,m,t.width,t.height,0,r,p,t.data)}else if(o.isCompressedTexture){if(o.isCompressedArrayTexture){_&&x&&n.texStorage3D(e.TEXTURE_2D_ARRAY,E,m,g[0].width,g[0].height,t.depth);for(let i=0,a=g.length;i<a;i++)if(h=g[i],o.format!==1023){if(r!==null){if(_){if(T){if(o.layerUpdates.size>0){let t=Hu(h.width,h.height,o.format,o.type);for(let a of o.layerUpdates){let o=h.data.subarray(a*t/h.data.BYTES_PER_ELEMENT,(a+1)*t/h.data.BYTES_PER_ELEMENT);n.compressedTexSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,a,h.width,h.height,1,r,o)}}else n.compressedTexSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,0,h.width,h.height,t.depth,r,h.data)}}else n.compressedTexImage3D(e.TEXTURE_2D_ARRAY,i,m,h.width,h.height,t.depth,0,h.data,0,0)}else J(`WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()`)}else _?T&&n.texSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,0,h.width,h.height,t.depth,r,p,h.data):n.texImage3D(e.TEXTURE_2D_ARRAY,i,m,h.width,h.height,t.depth,0,r,p,h.data);o.layerUpdates.size>0&&o.clearLayerUpdates()}else{_&&x&&n.texStorage2D(e.TEXTURE_2D,E,m,g[0].width,g[0].height);for(let t=0,i=g.length;t<i;t++)h=g[t],o.format===1023?_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,p,h.data):n.texImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,r,p,h.data):r===null?J(`WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()`):_?T&&n.compressedTexSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,h.data):n.compressedTexImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,h.data)}}else if(o.isDataArrayTexture){if(_){if(x&&n.texStorage3D(e.TEXTURE_2D_ARRAY,E,m,t.width,t.height,t.depth),T){if(o.layerUpdates.size>0){let i=Hu(t.width,t.height,o.format,o.type);for(let a of o.layerUpdates){let o=t.data.subarray(a*i/t.data.BYTES_PER_ELEMENT,(a+1)*i/t.data.BYTES_PER_ELEMENT);n.texSubImage3D(e.TEXTURE_2D_ARRAY,0,0,0,a,t.width,t.height,1,r,p,o)}o.clearLayerUpdates()}else n.texSubImage3D(e.TEXTURE_2D_ARRAY,0,0,0,0,t.width,t.height,t.depth,r,p,t.data)}}else n.texImage3D(e.TEXTURE_2D_ARRAY,0,m,t.width,t.height,t.depth,0,r,p,t.data)}else if(o.isData3DTexture)_?(x&&n.texStorage3D(e.TEXTURE_3D,E,m,t.width,t.height,t.depth),T&&n.texSubImage3D(e.TEXTURE_3D,0,0,0,0,t.width,t.height,t.depth,r,p,t.data)):n.texImage3D(e.TEXTURE_3D,0,m,t.width,t.height,t.depth,0,r,p,t.data);else if(o.isFramebufferTexture){if(x){if(_)n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height);else{let i=t.width,a=t.height;for(let t=0;t<E;t++)n.texImage2D(e.TEXTURE_2D,t,m,i,a,0,r,p,null),i>>=1,a>>=1}}}else if(o.isHTMLTexture){if(`texElementImage2D`in e){let n=e.canvas;if(n.hasAttribute(`layoutsubtree`)||n.setAttribute(`layoutsubtree`,`true`),t.parentNode!==n){n.appendChild(t),d.add(o),n.onpaint=e=>{let t=e.changedElements;for(let e of d)t.includes(e.image)&&(e.needsUpdate=!0)},n.requestPaint();return}if(e.texElementImage2D.length===3)e.texElementImage2D(e.TEXTURE_2D,e.RGBA8,t);else{let n=e.RGBA,r=e.RGBA,i=e.UNSIGNED_BYTE;e.texElementImage2D(e.TEXTURE_2D,0,n,r,i,t)}e.texParameteri(e.TEXTURE_2D,e.TEXTURE_MIN_FILTER,e.LINEAR),e.texParameteri(e.TEXTURE_2D,e.TEXTURE_WRAP_S,e.CLAMP_TO_EDGE),e.texParameteri(e.TEXTURE_2D,e.TEXTURE_WRAP_T,e.CLAMP_TO_EDGE)}}else if(g.length>0){if(_&&x){let t=be(g[0]);n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height)}for(let t=0,i=g.length;t<i;t++)h=g[t],_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,r,p,h):n.texImage2D(e.TEXTURE_2D,t,m,r,p,h);o.generateMipmaps=!1}else if(_){if(x){let r=be(t);n.texStorage2D(e.TEXTURE_2D,E,m,r.width,r.height)}T&&n.texSubImage2D(e.TEXTURE_2D,0,0,0,r,p,t)}else n.texImage2D(e.TEXTURE_2D,0,m,r,p,t);y(o)&&o.mipmapsAutoUpdate===!0&&b(c),f.__version=u.version,o.onUpdate&&o.onUpdate(o)}t.__version=o.version}function fe(t,o,s){if(o.image.length!==6)return;let c=ce(t,o),l=o.source;n.bindTexture(e.TEXTURE_CUBE_MAP,t.__webglTexture,e.TEXTURE0+s);let u=r.get(l);if(l.version!==u.__version||c===!0){n.activeTexture(e.TEXTURE0+s);let t=$o.getPrimaries($o.workingColorSpace),r=o.colorSpace===``?null:$o.getPrimaries(o.colorSpace),d=o.colorSpace===``||t===r?e.NONE:e.BROWSER_DEFAULT_WEBGL;n.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,o.flipY),n.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,o.premultiplyAlpha),n.pixelStorei(e.UNPACK_ALIGNMENT,o.unpackAlignment),n.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,d);let f=o.isCompressedTexture||o.image[0].isCompressedTexture,p=o.image[0]&&o.image[0].isDataTexture,m=[];for(let e=0;e<6;e++)!f&&!p?m[e]=v(o.image[e],!0,i.maxCubemapSize):m[e]=p?o.image[e].image:o.image[e],m[e]=K(o,m[e]);let h=m[0],g=a.convert(o.format,o.colorSpace),_=a.convert(o.type),x=S(o.internalFormat,g,_,o.normalized,o.colorSpace),T=o.isVideoTexture!==!0,E=u.__version===void 0||c===!0,D=l.dataReady,O=w(o,h);se(e.TEXTURE_CUBE_MAP,o);let k;if(o.isDepthTexture){if(x=C(o.format===_a,o.type),E){if(T)n.texStorage2D(e.TEXTURE_CUBE_MAP,1,x,h.width,h.height);else for(let t=0;t<6;t++)n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,h.width,h.height,0,g,_,null)}}else if(f){T&&E&&n.texStorage2D(e.TEXTURE_CUBE_MAP,O,x,h.width,h.height);for(let t=0;t<6;t++){k=m[t].mipmaps;for(let r=0;r<k.length;r++){let i=k[r];o.format===1023?T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,0,0,i.width,i.height,g,_,i.data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,x,i.width,i.height,0,g,_,i.data):g===null?J(`WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()`):T?D&&n.compressedTexSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,0,0,i.width,i.height,g,i.data):n.compressedTexImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,x,i.width,i.height,0,i.data)}}}else{if(k=o.mipmaps,T&&E){k.length>0&&O++;let t=be(m[0]);n.texStorage2D(e.TEXTURE_CUBE_MAP,O,x,t.width,t.height)}for(let t=0;t<6;t++)if(p){T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,0,0,m[t].width,m[t].height,g,_,m[t].data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,m[t].width,m[t].height,0,g,_,m[t].data);for(let r=0;r<k.length;r++){let i=k[r].image[t].image;T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,0,0,i.width,i.height,g,_,i.data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,x,i.width,i.height,0,g,_,i.data)}}else{T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,0,0,g,_,m[t]):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,g,_,m[t]);for(let r=0;r<k.length;r++){let i=k[r];T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,0,0,g,_,i.image[t]):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,x,g,_,i.image[t])}}}y(o)&&o.mipmapsAutoUpdate===!0&&b(e.TEXTURE_CUBE_MAP),u.__version=l.version,o.onUpdate&&o.onUpdate(o)}t.__version=o.version}function pe(t,i,o,c,l,u){let d=a.convert(o.format,o.colorSpace),f=a.convert(o.type),p=S(o.internalFormat,d,f,o.normalized,o.colorSpace),m=r.get(i),h=r.get(o);if(h.__renderTarget=i,!m.__hasExternalTextures){let t=Math.max(1,i.width>>u),r=Math.max(1,i.height>>u);l===e.TEXTURE_3D||l===e.TEXTURE_2D_ARRAY?n.texImage3D(l,u,p,t,r,i.depth,0,d,f,null):n.texImage2D(l,u,p,t,r,0,d,f,null)}n.bindFramebuffer(e.FRAMEBUFFER,t),ye(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,c,l,h.__webglTexture,0,W(i)):(l===e.TEXTURE_2D||l>=e.TEXTURE_CUBE_MAP_POSITIVE_X&&l<=e.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&e.framebufferTexture2D(e.FRAMEBUFFER,c,l,h.__webglTexture,u),n.bindFramebuffer(e.FRAMEBUFFER,null)}function me(t,n,r){if(e.bindRenderbuffer(e.RENDERBUFFER,t),n.depthBuffer){let i=n.depthTexture,a=i&&i.isDepthTexture?i.type:null,o=C(n.stencilBuffer,a),c=n.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;ye(n)?s.renderbufferStorageMultisampleEXT(e.RENDERBUFFER,W(n),o,n.width,n.height):r?e.renderbufferStorageMultisample(e.RENDERBUFFER,W(n),o,n.width,n.height):e.renderbufferStorage(e.RENDERBUFFER,o,n.width,n.height),e.framebufferRenderbuffer(e.FRAMEBUFFER,c,e.RENDERBUFFER,t)}else{let t=n.textures;for(let i=0;i<t.length;i++){let o=t[i],c=a.convert(o.format,o.colorSpace),l=a.convert(o.type),u=S(o.internalFormat,c,l,o.normalized,o.colorSpace);ye(n)?s.renderbufferStorageMultisampleEXT(e.RENDERBUFFER,W(n),u,n.width,n.height):r?e.renderbufferStorageMultisample(e.RENDERBUFFER,W(n),u,n.width,n.height):e.renderbufferStorage(e.RENDERBUFFER,u,n.width,n.height)}}e.bindRenderbuffer(e.RENDERBUFFER,null)}function he(t,i,a){let o=i.isWebGLCubeRenderTarget===!0;if(n.bindFramebuffer(e.FRAMEBUFFER,t),!(i.depthTexture&&i.depthTexture.isDepthTexture))throw Error(`THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.`);let c=r.get(i.depthTexture);c.__renderTarget=i;let l=o?i.depthTexture.image[0]:i.depthTexture.image;c.__webglTexture&&l.width===i.width&&l.height===i.height||(l.width=i.width,l.height=i.height,i.depthTexture.needsUpdate=!0),o?re(i.depthTexture,0):ne(i.depthTexture,0);let u=c.__webglTexture,d=W(i),f=o?e.TEXTURE_CUBE_MAP_POSITIVE_X+a:e.TEXTURE_2D,p=i.depthTexture.format===1027?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;if(i.depthTexture.format===1026)ye(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,p,f,u,0,d):e.framebufferTexture2D(e.FRAMEBUFFER,p,f,u,0);else if(i.depthTexture.format===1027)ye(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,p,f,u,0,d):e.framebufferTexture2D(e.FRAMEBUFFER,p,f,u,0);else throw Error(`THREE.WebGLTextures: Unknown depthTexture format.`)}function ge(t){let i=r.get(t),a=t.isWebGLCubeRenderTarget===!0;if(i.__boundDepthTexture!==t.depthTexture){let e=t.depthTexture;if(i.__depthDisposeCallback&&i.__depthDisposeCallback(),e){let t=()=>{delete i.__boundDepthTexture,delete i.__depthDisposeCallback,e.removeEventListener(`dispose`,t)};e.addEventListener(`dispose`,t),i.__depthDisposeCallback=t}i.__boundDepthTexture=e}if(t.depthTexture&&!i.__autoAllocateDepthBuffer){if(a)for(let e=0;e<6;e++)he(i.__webglFramebuffer[e],t,e);else t.texture.mipmaps.length>0?he(i.__webglFramebuffer[0],t,0):he(i.__webglFramebuffer,t,0)}else if(a){i.__webglDepthbuffer=[];for(let r=0;r<6;r++)if(n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer[r]),i.__webglDepthbuffer[r]===void 0)i.__webglDepthbuffer[r]=e.createRenderbuffer(),me(i.__webglDepthbuffer[r],t,!1);else{let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,a=i.__webglDepthbuffer[r];e.bindRenderbuffer(e.RENDERBUFFER,a),e.framebufferRenderbuffer(e.FRAMEBUFFER,n,e.RENDERBUFFER,a)}}else if(t.texture.mipmaps.length>0?n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer[0]):n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer),i.__webglDepthbuffer===void 0)i.__webglDepthbuffer=e.createRenderbuffer(),me(i.__webglDepthbuffer,t,!1);else{let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,r=i.__webglDepthbuffer;e.bindRenderbuffer(e.RENDERBUFFER,r),e.framebufferRenderbuffer(e.FRAMEBUFFER,n,e.RENDERBUFFER,r)}n.bindFramebuffer(e.FRAMEBUFFER,null)}function _e(t,n,i){let a=r.get(t);n!==void 0&&pe(a.__webglFramebuffer,t,t.texture,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,0),i!==void 0&&ge(t)}function V(t){let i=t.texture,s=r.get(t),c=r.get(i);t.addEventListener(`dispose`,O),T(t);let l=t.textures,u=t.isWebGLCubeRenderTarget===!0,d=l.length>1;if(d||(c.__webglTexture===void 0&&(c.__webglTexture=e.createTexture()),c.__version=i.version,o.memory.textures++),u){s.__webglFramebuffer=[];for(let t=0;t<6;t++)if(i.mipmaps.length>0){s.__webglFramebuffer[t]=[];for(let n=0;n<i.mipmaps.length;n++)s.__webglFramebuffer[t][n]=e.createFramebuffer()}else s.__webglFramebuffer[t]=e.createFramebuffer()}else{if(i.mipmaps.length>0){s.__webglFramebuffer=[];for(let t=0;t<i.mipmaps.length;t++)s.__webglFramebuffer[t]=e.createFramebuffer()}else s.__webglFramebuffer=e.createFramebuffer();if(d)for(let t=0,n=l.length;t<n;t++){let n=r.get(l[t]);n.__webglTexture===void 0&&(n.__webglTexture=e.createTexture(),o.memory.textures++)}if(t.samples>0&&ye(t)===!1){s.__webglMultisampledFramebuffer=e.createFramebuffer(),s.__webglColorRenderbuffer=[],n.bindFramebuffer(e.FRAMEBUFFER,s.__webglMultisampledFramebuffer);for(let n=0;n<l.length;n++){let r=l[n];s.__webglColorRenderbuffer[n]=e.createRenderbuffer(),e.bindRenderbuffer(e.RENDERBUFFER,s.__webglColorRenderbuffer[n]);let i=a.convert(r.format,r.colorSpace),o=a.convert(r.type),c=S(r.internalFormat,i,o,r.normalized,r.colorSpace,t.isXRRenderTarget===!0),u=W(t);e.renderbufferStorageMultisample(e.RENDERBUFFER,u,c,t.width,t.height),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+n,e.RENDERBUFFER,s.__webglColorRenderbuffer[n])}e.bindRenderbuffer(e.RENDERBUFFER,null),t.depthBuffer&&(s.__webglDepthRenderbuffer=e.createRenderbuffer(),me(s.__webglDepthRenderbuffer,t,!0)),n.bindFramebuffer(e.FRAMEBUFFER,null)}}if(u){n.bindTexture(e.TEXTURE_CUBE_MAP,c.__webglTexture),se(e.TEXTURE_CUBE_MAP,i);for(let n=0;n<6;n++)if(i.mipmaps.length>0)for(let r=0;r<i.mipmaps.length;r++)pe(s.__webglFramebuffer[n][r],t,i,e.COLOR_ATTACHMENT0,e.TEXTURE_CUBE_MAP_POSITIVE_X+n,r);else pe(s.__webglFramebuffer[n],t,i,e.COLOR_ATTACHMENT0,e.TEXTURE_CUBE_MAP_POSITIVE_X+n,0);y(i)?b(e.TEXTURE_CUBE_MAP):i.mipmaps.length>0&&e.texParameteri(e.TEXTURE_CUBE_MAP,e.TEXTURE_MAX_LEVEL,i.mipmaps.length-1),n.unbindTexture()}else if(d){for(let i=0,a=l.length;i<a;i++){let a=l[i],o=r.get(a),c=e.TEXTURE_2D;(t.isWebGL3DRenderTarget||t.isWebGLArrayRenderTarget)&&(c=t.isWebGL3DRenderTarget?e.TEXTURE_3D:e.TEXTURE_2D_ARRAY),n.bindTexture(c,o.__webglTexture),se(c,a),pe(s.__webglFramebuffer,t,a,e.COLOR_ATTACHMENT0+i,c,0),y(a)&&b(c)}n.unbindTexture()}else{let r=e.TEXTURE_2D;if((t.isWebGL3DRenderTarget||t.isWebGLArrayRenderTarget)&&(r=t.isWebGL3DRenderTarget?e.TEXTURE_3D:e.TEXTURE_2D_ARRAY),n.bindTexture(r,c.__webglTexture),se(r,i),i.mipmaps.length>0)for(let n=0;n<i.mipmaps.length;n++)pe(s.__webglFramebuffer[n],t,i,e.COLOR_ATTACHMENT0,r,n);else pe(s.__webglFramebuffer,t,i,e.COLOR_ATTACHMENT0,r,0);y(i)?b(r):i.mipmaps.length>0&&e.texParameteri(r,e.TEXTURE_MAX_LEVEL,i.mipmaps.length-1),n.unbindTexture()}t.depthBuffer&&ge(t)}function H(e){let t=e.textures;for(let i=0,a=t.length;i<a;i++){let a=t[i];if(y(a)&&a.mipmapsAutoUpdate===!0){let t=x(e),i=r.get(a).__webglTexture;n.bindTexture(t,i),b(t),n.unbindTexture()}}}let U=[];function ve(t){if(t.samples>0){if(ye(t)===!1){let i=t.textures,a=t.width,o=t.height,s=e.COLOR_BUFFER_BIT,l=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,u=r.get(t),d=i.length>1;if(d)for(let t=0;t<i.length;t++)n.bindFramebuffer(e.FRAMEBUFFER,u.__webglMultisampledFramebuffer),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.RENDERBUFFER,null),n.bindFramebuffer(e.FRAMEBUFFER,u.__webglFramebuffer),e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.TEXTURE_2D,null,0);n.bindFramebuffer(e.READ_FRAMEBUFFER,u.__webglMultisampledFramebuffer),t.texture.mipmaps.length>0?n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglFramebuffer[0]):n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglFramebuffer);for(let n=0;n<i.length;n++){if(t.resolveDepthBuffer&&(t.depthBuffer&&(s|=e.DEPTH_BUFFER_BIT),t.stencilBuffer&&t.resolveStencilBuffer&&(s|=e.STENCIL_BUFFER_BIT)),d){e.framebufferRenderbuffer(e.READ_FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.RENDERBUFFER,u.__webglColorRenderbuffer[n]);let t=r.get(i[n]).__webglTexture;e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,t,0)}e.blitFramebuffer(0,0,a,o,0,0,a,o,s,e.NEAREST),c===!0&&(U.length=0,U.push(e.COLOR_ATTACHMENT0+n),t.depthBuffer&&t.storeMultisampledDepthBuffer===!1&&U.push(l),e.invalidateFramebuffer(e.READ_FRAMEBUFFER,U))}if(n.bindFramebuffer(e.READ_FRAMEBUFFER,null),n.bindFramebuffer(e.DRAW_FRAMEBUFFER,null),d)for(let t=0;t<i.length;t++){n.bindFramebuffer(e.FRAMEBUFFER,u.__webglMultisampledFramebuffer),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.RENDERBUFFER,u.__webglColorRenderbuffer[t]);let a=r.get(i[t]).__webglTexture;n.bindFramebuffer(e.FRAMEBUFFER,u.__webglFramebuffer),e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.TEXTURE_2D,a,0)}n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglMultisampledFramebuffer)}else if(t.depthBuffer&&t.storeMultisampledDepthBuffer===!1&&c){let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;e.invalidateFramebuffer(e.DRAW_FRAMEBUFFER,[n])}}}function W(e){return Math.min(i.maxSamples,e.samples)}function ye(e){let n=r.get(e);return e.samples>0&&t.has(`WEBGL_multisampled_render_to_texture`)===!0&&n.__useRenderToTexture!==!1}function G(e){let t=o.render.frame;u.get(e)!==t&&(u.set(e,t),e.update())}function K(e,t){let n=e.colorSpace,r=e.format,i=e.type;return e.isCompressedTexture===!0||e.isVideoTexture===!0||n!==`srgb-linear`&&n!==``&&($o.getTransfer(n)===`srgb`?(r!==1023||i!==1009)&&J(`WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType.`):Y(`WebGLTextures: Unsupported texture color space:`,n)),t}function be(e){return typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement?(l.width=e.naturalWidth||e.width,l.height=e.naturalHeight||e.height):typeof VideoFrame<`u`&&e instanceof VideoFrame?(l.width=e.displayWidth,l.height=e.displayHeight):(l.width=e.width,l.height=e.height),l}this.allocateTextureUnit=R,this.resetTextureUnits=I,this.getTextureUnits=ee,this.setTextureUnits=L,this.setTexture2D=ne,this.setTexture2DArray=z,this.setTexture3D=B,this.setTextureCube=re,this.rebindTextures=_e,this.setupRenderTarget=V,this.updateRenderTargetMipmap=H,this.updateMultisampleRenderTarget=ve,this.setupDepthRenderbuffer=ge,this.setupFrameBufferTexture=pe,this.useMultisampledRTT=ye,this.dispose=j}function Hp(e,t){function n(n,r=``){let i,a=$o.getTransfer(r);if(n===1009)return e.UNSIGNED_BYTE;if(n===1017)return e.UNSIGNED_SHORT_4_4_4_4;if(n===1018)return e.UNSIGNED_SHORT_5_5_5_1;if(n===35902)return e.UNSIGNED_INT_5_9_9_9_REV;if(n===35899)return e.UNSIGNED_INT_10F_11F_11F_REV;if(n===1010)return e.BYTE;if(n===1011)return e.SHORT;if(n===1012)return e.UNSIGNED_SHORT;if(n===1013)return e.INT;if(n===1014)return e.UNSIGNED_INT;if(n===1015)return e.FLOAT;if(n===1016)return e.HALF_FLOAT;if(n===1021)return e.ALPHA;if(n===1022)return e.RGB;if(n===1023)return e.RGBA;if(n===1026)return e.DEPTH_COMPONENT;if(n===1027)return e.DEPTH_STENCIL;if(n===1028)return e.RED;if(n===1029)return e.RED_INTEGER;if(n===1030)return e.RG;if(n===1031)return e.RG_INTEGER;if(n===1033)return e.RGBA_INTEGER;if(n===33776||n===33777||n===33778||n===33779){if(a===`srgb`){if(i=t.get(`WEBGL_compressed_texture_s3tc_srgb`),i!==null){if(n===33776)return i.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===33777)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===33778)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===33779)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null}else if(i=t.get(`WEBGL_compressed_texture_s3tc`),i!==null){if(n===33776)return i.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===33777)return i.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===33778)return i.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===33779)return i.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null}if(n===35840||n===35841||n===35842||n===35843){if(i=t.get(`WEBGL_compressed_texture_pvrtc`),i!==null){if(n===35840)return i.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===35841)return i.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===35842)return i.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===35843)return i.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null}if(n===36196||n===37492||n===37496||n===37488||n===37489||n===37490||n===37491){if(i=t.get(`WEBGL_compressed_texture_etc`),i!==null){if(n===36196||n===37492)return a===`srgb`?i.COMPRESSED_SRGB8_ETC2:i.COMPRESSED_RGB8_ETC2;if(n===37496)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:i.COMPRESSED_RGBA8_ETC2_EAC;if(n===37488)return i.COMPRESSED_R11_EAC;if(n===37489)return i.COMPRESSED_SIGNED_R11_EAC;if(n===37490)return i.COMPRESSED_RG11_EAC;if(n===37491)return i.COMPRESSED_SIGNED_RG11_EAC}else return null}if(n===37808||n===37809||n===37810||n===37811||n===37812||n===37813||n===37814||n===37815||n===37816||n===37817||n===37818||n===37819||n===37820||n===37821){if(i=t.get(`WEBGL_compressed_texture_astc`),i!==null){if(n===37808)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:i.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===37809)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:i.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===37810)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:i.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===37811)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:i.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===37812)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:i.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===37813)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:i.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===37814)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:i.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===37815)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:i.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===37816)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:i.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===37817)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:i.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===37818)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:i.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===37819)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:i.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===37820)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:i.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===37821)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:i.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null}if(n===36492||n===36494||n===36495){if(i=t.get(`EXT_texture_compression_bptc`),i!==null){if(n===36492)return a===`srgb`?i.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:i.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===36494)return i.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===36495)return i.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null}if(n===36283||n===36284||n===36285||n===36286){if(i=t.get(`EXT_texture_compression_rgtc`),i!==null){if(n===36283)return i.COMPRESSED_RED_RGTC1_EXT;if(n===36284)return i.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===36285)return i.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===36286)return i.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null}return n===1020?e.UNSIGNED_INT_24_8:e[n]===void 0?null:e[n]}return{convert:n}}var Up=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,Wp=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,Gp=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(e,t){if(this.texture===null){let n=new Il(e.texture);(e.depthNear!==t.depthNear||e.depthFar!==t.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=n}}getMesh(e){if(this.texture!==null&&this.mesh===null){let t=e.cameras[0].viewport,n=new ql({vertexShader:Up,fragmentShader:Wp,uniforms:{depthColor:{value:this.texture},depthWidth:{value:t.z},depthHeight:{value:t.w}}});this.mesh=new gl(new Rl(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},Kp=class extends No{constructor(e,t){super();let n=this,r=null,i=1,a=null,o=`local-floor`,s=1,c=null,l=null,u=null,d=null,f=null,p=null,m=typeof XRWebGLBinding<`u`,h=new Gp,g={},_=t.getContextAttributes(),v=null,y=null,b=[],x=[],S=new Go,C=null,w=null,T=new wu;T.viewport=new us;let E=new wu;E.viewport=new us;let D=[T,E],O=new ku,k=null,A=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(e){let t=b[e];return t===void 0&&(t=new Gs,b[e]=t),t.getTargetRaySpace()},this.getControllerGrip=function(e){let t=b[e];return t===void 0&&(t=new Gs,b[e]=t),t.getGripSpace()},this.getHand=function(e){let t=b[e];return t===void 0&&(t=new Gs,b[e]=t),t.getHandSpace()};function j(e){let t=x.indexOf(e.inputSource);if(t===-1)return;let n=b[t];n!==void 0&&(n.update(e.inputSource,e.frame,c||a),n.dispatchEvent({type:e.type,data:e.inputSource}))}function M(){r.removeEventListener(`select`,j),r.removeEventListener(`selectstart`,j),r.removeEventListener(`selectend`,j),r.removeEventListener(`squeeze`,j),r.removeEventListener(`squeezestart`,j),r.removeEventListener(`squeezeend`,j),r.removeEventListener(`end`,M),r.removeEventListener(`inputsourceschange`,N);for(let e=0;e<b.length;e++){let t=x[e];t!==null&&(x[e]=null,b[e].disconnect(t))}k=null,A=null,h.reset();for(let e in g)delete g[e];if(e.setRenderTarget(v),f=null,d=null,u=null,r=null,y=null,L.stop(),n.isPresenting=!1,e.setPixelRatio(C),e.setSize(S.width,S.height,!1),w!==null){let e=w.camera;e.fov=w.fov,e.zoom=w.zoom,e.updateProjectionMatrix(),w=null}n.dispatchEvent({type:`sessionend`})}this.setFramebufferScaleFactor=function(e){i=e,n.isPresenting===!0&&J(`WebXRManager: Cannot change framebuffer scale while presenting.`)},this.setReferenceSpaceType=function(e){o=e,n.isPresenting===!0&&J(`WebXRManager: Cannot change reference space type while presenting.`)},this.getReferenceSpace=function(){return c||a},this.setReferenceSpace=function(e){c=e},this.getBaseLayer=function(){return d===null?f:d},this.getBinding=function(){return u===null&&m&&(u=new XRWebGLBinding(r,t)),u},this.getFrame=function(){return p},this.getSession=function(){return r},this.setSession=async function(l){if(r=l,r!==null){if(v=e.getRenderTarget(),r.addEventListener(`select`,j),r.addEventListener(`selectstart`,j),r.addEventListener(`selectend`,j),r.addEventListener(`squeeze`,j),r.addEventListener(`squeezestart`,j),r.addEventListener(`squeezeend`,j),r.addEventListener(`end`,M),r.addEventListener(`inputsourceschange`,N),_.xrCompatible!==!0&&await t.makeXRCompatible(),C=e.getPixelRatio(),e.getSize(S),m&&`createProjectionLayer`in XRWebGLBinding.prototype){let n=null,a=null,o=null;_.depth&&(o=_.stencil?t.DEPTH24_STENCIL8:t.DEPTH_COMPONENT24,n=_.stencil?_a:ga,a=_.stencil?ua:aa);let s={colorFormat:t.RGBA8,depthFormat:o,scaleFactor:i};u=this.getBinding(),d=u.createProjectionLayer(s),r.updateRenderState({layers:[d]}),e.setPixelRatio(1),e.setSize(d.textureWidth,d.textureHeight,!1),y=new fs(d.textureWidth,d.textureHeight,{format:ha,type:ea,depthTexture:new Pl(d.textureWidth,d.textureHeight,a,void 0,void 0,void 0,void 0,void 0,void 0,n),stencilBuffer:_.stencil,colorSpace:e.outputColorSpace,samples:_.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let n={antialias:_.antialias,alpha:!0,depth:_.depth,stencil:_.stencil,framebufferScaleFactor:i};f=new XRWebGLLayer(r,t,n),r.updateRenderState({baseLayer:f}),e.setPixelRatio(1),e.setSize(f.framebufferWidth,f.framebufferHeight,!1),y=new fs(f.framebufferWidth,f.framebufferHeight,{format:ha,type:ea,colorSpace:e.outputColorSpace,stencilBuffer:_.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}y.isXRRenderTarget=!0,this.setFoveation(s),c=null,a=await r.requestReferenceSpace(o),L.setContext(r),L.start(),n.isPresenting=!0,n.dispatchEvent({type:`sessionstart`})}},this.getEnvironmentBlendMode=function(){if(r!==null)return r.environmentBlendMode},this.getDepthTexture=function(){return h.getDepthTexture()};function N(e){for(let t=0;t<e.removed.length;t++){let n=e.removed[t],r=x.indexOf(n);r>=0&&(x[r]=null,b[r].disconnect(n))}for(let t=0;t<e.added.length;t++){let n=e.added[t],r=x.indexOf(n);if(r===-1){for(let e=0;e<b.length;e++)if(e>=x.length){x.push(n),r=e;break}else if(x[e]===null){x[e]=n,r=e;break}if(r===-1)break}let i=b[r];i&&i.connect(n)}}function P(e,t){t===null?e.matrixWorld.copy(e.matrix):e.matrixWorld.multiplyMatrices(t.matrixWorld,e.matrix),e.matrixWorldInverse.copy(e.matrixWorld).invert()}this.updateCamera=function(e){if(r===null)return;let t=e.near,n=e.far;h.texture!==null&&(h.depthNear>0&&(t=h.depthNear),h.depthFar>0&&(n=h.depthFar)),O.near=E.near=T.near=t,O.far=E.far=T.far=n,(k!==O.near||A!==O.far)&&(r.updateRenderState({depthNear:O.near,depthFar:O.far}),k=O.near,A=O.far),O.layers.mask=e.layers.mask|6,T.layers.mask=O.layers.mask&-5,E.layers.mask=O.layers.mask&-3;let i=e.parent,a=O.cameras;P(O,i);for(let e=0;e<a.length;e++)P(a[e],i);O.projectionMatrix.copy(T.projectionMatrix),O.projectionMatrixInverse.copy(T.projectionMatrixInverse),w===null&&e.isPerspectiveCamera&&(w={camera:e,fov:e.fov,zoom:e.zoom}),F(e,O,i)};function F(e,t,n){n===null?e.matrix.copy(t.matrixWorld):(e.matrix.copy(n.matrixWorld),e.matrix.invert(),e.matrix.multiply(t.matrixWorld)),e.matrix.decompose(e.position,e.quaternion,e.scale),e.updateMatrixWorld(!0),e.projectionMatrix.copy(t.projectionMatrix),e.projectionMatrixInverse.copy(t.projectionMatrixInverse),e.isPerspectiveCamera&&(e.fov=Io*2*Math.atan(1/e.projectionMatrix.elements[5]),e.zoom=1)}this.getCamera=function(){return O},this.getFoveation=function(){if(d!==null||f!==null)return s},this.setFoveation=function(e){s=e,d!==null&&(d.fixedFoveation=e),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=e)},this.hasDepthSensing=function(){return h.texture!==null},this.getDepthSensingMesh=function(){return h.getMesh(O)},this.getCameraTexture=function(e){return g[e]};let I=null;function ee(t,i){if(l=i.getViewerPose(c||a),p=i,l!==null){let t=l.views;f!==null&&(e.setRenderTargetFramebuffer(y,f.framebuffer),e.setRenderTarget(y));let i=!1;t.length!==O.cameras.length&&(O.cameras.length=0,i=!0);for(let n=0;n<t.length;n++){let r=t[n],a=null;if(f!==null)a=f.getViewport(r);else{let t=u.getViewSubImage(d,r);a=t.viewport,n===0&&(e.setRenderTargetTextures(y,t.colorTexture,t.depthStencilTexture),e.setRenderTarget(y))}let o=D[n];o===void 0&&(o=new wu,o.layers.enable(n),o.viewport=new us,D[n]=o),o.matrix.fromArray(r.transform.matrix),o.matrix.decompose(o.position,o.quaternion,o.scale),o.projectionMatrix.fromArray(r.projectionMatrix),o.projectionMatrixInverse.copy(o.projectionMatrix).invert(),o.viewport.set(a.x,a.y,a.width,a.height),n===0&&(O.matrix.copy(o.matrix),O.matrix.decompose(O.position,O.quaternion,O.scale)),i===!0&&O.cameras.push(o)}let a=r.enabledFeatures;if(a&&a.includes(`depth-sensing`)&&r.depthUsage==`gpu-optimized`&&m){u=n.getBinding();let e=u.getDepthInformation(t[0]);e&&e.isValid&&e.texture&&h.init(e,r.renderState)}if(a&&a.includes(`camera-access`)&&m){e.state.unbindTexture(),u=n.getBinding();for(let e=0;e<t.length;e++){let n=t[e].camera;if(n){let e=g[n];e||(e=new Il,g[n]=e);let t=u.getCameraImage(n);e.sourceTexture=t}}}}for(let e=0;e<b.length;e++){let t=x[e],n=b[e];t!==null&&n!==void 0&&n.update(t,i,c||a)}I&&I(t,i),i.detectedPlanes&&n.dispatchEvent({type:`planesdetected`,data:i}),p=null}let L=new Wu;L.setAnimationLoop(ee),this.setAnimationLoop=function(e){I=e},this.dispose=function(){}}},qp=new hs,Jp=new Z;Jp.set(-1,0,0,0,1,0,0,0,1);function Yp(e,t){function n(e,t){e.matrixAutoUpdate===!0&&e.updateMatrix(),t.value.copy(e.matrix)}function r(t,n){n.color.getRGB(t.fogColor.value,Ul(e)),n.isFog?(t.fogNear.value=n.near,t.fogFar.value=n.far):n.isFogExp2&&(t.fogDensity.value=n.density)}function i(e,t,n,r,i){t.isNodeMaterial?t.uniformsNeedUpdate=!1:t.isMeshBasicMaterial?a(e,t):t.isMeshLambertMaterial?(a(e,t),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)):t.isMeshToonMaterial?(a(e,t),d(e,t)):t.isMeshPhongMaterial?(a(e,t),u(e,t),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)):t.isMeshStandardMaterial?(a(e,t),f(e,t),t.isMeshPhysicalMaterial&&p(e,t,i)):t.isMeshMatcapMaterial?(a(e,t),m(e,t)):t.isMeshDepthMaterial?a(e,t):t.isMeshDistanceMaterial?(a(e,t),h(e,t)):t.isMeshNormalMaterial?a(e,t):t.isLineBasicMaterial?(o(e,t),t.isLineDashedMaterial&&s(e,t)):t.isPointsMaterial?c(e,t,n,r):t.isSpriteMaterial?l(e,t):t.isShadowMaterial?(e.color.value.copy(t.color),e.opacity.value=t.opacity):t.isShaderMaterial&&(t.uniformsNeedUpdate=!1)}function a(e,r){e.opacity.value=r.opacity,r.color&&e.diffuse.value.copy(r.color),r.emissive&&e.emissive.value.copy(r.emissive).multiplyScalar(r.emissiveIntensity),r.map&&(e.map.value=r.map,n(r.map,e.mapTransform)),r.alphaMap&&(e.alphaMap.value=r.alphaMap,n(r.alphaMap,e.alphaMapTransform)),r.bumpMap&&(e.bumpMap.value=r.bumpMap,n(r.bumpMap,e.bumpMapTransform),e.bumpScale.value=r.bumpScale,r.side===1&&(e.bumpScale.value*=-1)),r.normalMap&&(e.normalMap.value=r.normalMap,n(r.normalMap,e.normalMapTransform),e.normalScale.value.copy(r.normalScale),r.side===1&&e.normalScale.value.negate()),r.displacementMap&&(e.displacementMap.value=r.displacementMap,n(r.displacementMap,e.displacementMapTransform),e.displacementScale.value=r.displacementScale,e.displacementBias.value=r.displacementBias),r.emissiveMap&&(e.emissiveMap.value=r.emissiveMap,n(r.emissiveMap,e.emissiveMapTransform)),r.specularMap&&(e.specularMap.value=r.specularMap,n(r.specularMap,e.specularMapTransform)),r.alphaTest>0&&(e.alphaTest.value=r.alphaTest);let i=t.get(r),a=i.envMap,o=i.envMapRotation;a&&(e.envMap.value=a,e.envMapRotation.value.setFromMatrix4(qp.makeRotationFromEuler(o)).transpose(),a.isCubeTexture&&a.isRenderTargetTexture===!1&&e.envMapRotation.value.premultiply(Jp),e.reflectivity.value=r.reflectivity,e.ior.value=r.ior,e.refractionRatio.value=r.refractionRatio),r.lightMap&&(e.lightMap.value=r.lightMap,e.lightMapIntensity.value=r.lightMapIntensity,n(r.lightMap,e.lightMapTransform)),r.aoMap&&(e.aoMap.value=r.aoMap,e.aoMapIntensity.value=r.aoMapIntensity,n(r.aoMap,e.aoMapTransform))}function o(e,t){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,t.map&&(e.map.value=t.map,n(t.map,e.mapTransform))}function s(e,t){e.dashSize.value=t.dashSize,e.totalSize.value=t.dashSize+t.gapSize,e.scale.value=t.scale}function c(e,t,r,i){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,e.size.value=t.size*r,e.scale.value=i*.5,t.map&&(e.map.value=t.map,n(t.map,e.uvTransform)),t.alphaMap&&(e.alphaMap.value=t.alphaMap,n(t.alphaMap,e.alphaMapTransform)),t.alphaTest>0&&(e.alphaTest.value=t.alphaTest)}function l(e,t){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,e.rotation.value=t.rotation,t.map&&(e.map.value=t.map,n(t.map,e.mapTransform)),t.alphaMap&&(e.alphaMap.value=t.alphaMap,n(t.alphaMap,e.alphaMapTransform)),t.alphaTest>0&&(e.alphaTest.value=t.alphaTest)}function u(e,t){e.specular.value.copy(t.specular),e.shininess.value=Math.max(t.shininess,1e-4)}function d(e,t){t.gradientMap&&(e.gradientMap.value=t.gradientMap)}function f(e,t){e.metalness.value=t.metalness,t.metalnessMap&&(e.metalnessMap.value=t.metalnessMap,n(t.metalnessMap,e.metalnessMapTransform)),e.roughness.value=t.roughness,t.roughnessMap&&(e.roughnessMap.value=t.roughnessMap,n(t.roughnessMap,e.roughnessMapTransform)),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)}function p(e,t,r){e.ior.value=t.ior,t.diffuseRoughness>0&&(e.diffuseRoughness.value=t.diffuseRoughness,t.diffuseRoughnessMap&&(e.diffuseRoughnessMap.value=t.diffuseRoughnessMap,n(t.diffuseRoughnessMap,e.diffuseRoughnessMapTransform))),t.sheen>0&&(e.sheenColor.value.copy(t.sheenColor).multiplyScalar(t.sheen),e.sheenRoughness.value=t.sheenRoughness,t.sheenColorMap&&(e.sheenColorMap.value=t.sheenColorMap,n(t.sheenColorMap,e.sheenColorMapTransform)),t.sheenRoughnessMap&&(e.sheenRoughnessMap.value=t.sheenRoughnessMap,n(t.sheenRoughnessMap,e.sheenRoughnessMapTransform))),t.clearcoat>0&&(e.clearcoat.value=t.clearcoat,e.clearcoatRoughness.value=t.clearcoatRoughness,t.clearcoatMap&&(e.clearcoatMap.value=t.clearcoatMap,n(t.clearcoatMap,e.clearcoatMapTransform)),t.clearcoatRoughnessMap&&(e.clearcoatRoughnessMap.value=t.clearcoatRoughnessMap,n(t.clearcoatRoughnessMap,e.clearcoatRoughnessMapTransform)),t.clearcoatNormalMap&&(e.clearcoatNormalMap.value=t.clearcoatNormalMap,n(t.clearcoatNormalMap,e.clearcoatNormalMapTransform),e.clearcoatNormalScale.value.copy(t.clearcoatNormalScale),t.side===1&&e.clearcoatNormalScale.value.negate())),t.dispersion>0&&(e.dispersion.value=t.dispersion),t.retroreflectivity>0&&(e.retroreflectivity.value=t.retroreflectivity),t.iridescence>0&&(e.iridescence.value=t.iridescence,e.iridescenceIOR.value=t.iridescenceIOR,e.iridescenceThicknessMinimum.value=t.iridescenceThicknessMinimum,e.iridescenceThicknessMaximum.value=t.iridescenceThicknessMaximum,t.iridescenceMap&&(e.iridescenceMap.value=t.iridescenceMap,n(t.iridescenceMap,e.iridescenceMapTransform)),t.iridescenceThicknessMap&&(e.iridescenceThicknessMap.value=t.iridescenceThicknessMap,n(t.iridescenceThicknessMap,e.iridescenceThicknessMapTransform))),t.transmission>0&&(e.transmission.value=t.transmission,e.transmissionSamplerMap.value=r.texture,e.transmissionSamplerSize.value.set(r.width,r.height),t.transmissionMap&&(e.transmissionMap.value=t.transmissionMap,n(t.transmissionMap,e.transmissionMapTransform)),e.thickness.value=t.thickness,t.thicknessMap&&(e.thicknessMap.value=t.thicknessMap,n(t.thicknessMap,e.thicknessMapTransform)),e.attenuationDistance.value=t.attenuationDistance,e.attenuationColor.value.copy(t.attenuationColor)),t.anisotropy>0&&(e.anisotropyVector.value.set(t.anisotropy*Math.cos(t.anisotropyRotation),t.anisotropy*Math.sin(t.anisotropyRotation)),t.anisotropyMap&&(e.anisotropyMap.value=t.anisotropyMap,n(t.anisotropyMap,e.anisotropyMapTransform))),e.specularIntensity.value=t.specularIntensity,e.specularColor.value.copy(t.specularColor),t.specularColorMap&&(e.specularColorMap.value=t.specularColorMap,n(t.specularColorMap,e.specularColorMapTransform)),t.specularIntensityMap&&(e.specularIntensityMap.value=t.specularIntensityMap,n(t.specularIntensityMap,e.specularIntensityMapTransform))}function m(e,t){t.matcap&&(e.matcap.value=t.matcap)}function h(e,n){let r=t.get(n).light;e.referencePosition.value.setFromMatrixPosition(r.matrixWorld),e.nearDistance.value=r.shadow.camera.near,e.farDistance.value=r.shadow.camera.far}return{refreshFogUniforms:r,refreshMaterialUniforms:i}}function Xp(e,t,n,r){let i={},a={};function o(e,t){let n=t.program;r.uniformBlockBinding(e,n,i[e.id])}function s(e,n){let o=i[e.id];o===void 0&&(m(e),o=c(e),i[e.id]=o,e.addEventListener(`dispose`,g));let s=n.program;r.updateUBOMapping(e,s);let u=t.render.frame;a[e.id]!==u&&(l(e),a[e.id]=u)}function c(t){let n=e.createBuffer(),r=t.__size,i=t.usage;return e.bindBuffer(e.UNIFORM_BUFFER,n),e.bufferData(e.UNIFORM_BUFFER,r,i),e.bindBuffer(e.UNIFORM_BUFFER,null),n}function l(t){let n=i[t.id],r=t.uniforms,a=t.__cache;e.bindBuffer(e.UNIFORM_BUFFER,n);for(let e=0,t=r.length;e<t;e++){let t=r[e];if(Array.isArray(t))for(let n=0,r=t.length;n<r;n++)u(t[n],e,n,a);else u(t,e,0,a)}e.bindBuffer(e.UNIFORM_BUFFER,null)}function u(t,n,r,i){if(f(t,n,r,i)===!0){let n=t.__offset,r=t.value;if(Array.isArray(r)){let e=0;for(let n=0;n<r.length;n++){let i=r[n],a=h(i,!0);d(i,t.__data,e),e+=a.storage/Float32Array.BYTES_PER_ELEMENT}}else d(r,t.__data,0);e.bufferSubData(e.UNIFORM_BUFFER,n,t.__data)}}function d(e,t,n){typeof e==`number`||typeof e==`boolean`?t[n]=e:e.isMatrix3?(t[n]=e.elements[0],t[n+1]=e.elements[1],t[n+2]=e.elements[2],t[n+3]=0,t[n+4]=e.elements[3],t[n+5]=e.elements[4],t[n+6]=e.elements[5],t[n+7]=0,t[n+8]=e.elements[6],t[n+9]=e.elements[7],t[n+10]=e.elements[8],t[n+11]=0):ArrayBuffer.isView(e)?t.set(e.subarray(0,t.length-n),n):e.toArray(t,n)}function f(e,t,n,r){let i=e.value,a=t+`_`+n;if(Array.isArray(i)){r[a]===void 0&&(r[a]=[]);let e=r[a],t=!1;for(let n=0;n<i.length;n++)p(i[n],e,n)===!0&&(t=!0);return t}return p(i,r,a)}function p(e,t,n){if(t[n]===void 0)return t[n]=typeof e==`number`||typeof e==`boolean`?e:ArrayBuffer.isView(e)?e.slice():e.clone(),!0;{let r=t[n];if(typeof e==`number`||typeof e==`boolean`){if(r!==e)return t[n]=e,!0}else if(ArrayBuffer.isView(e))return!0;else if(r.equals(e)===!1)return r.copy(e),!0}return!1}function m(e){let t=e.uniforms,n=0;for(let e=0,r=t.length;e<r;e++){let r=Array.isArray(t[e])?t[e]:[t[e]];for(let i=0,a=r.length;i<a;i++){let a=r[i],o=Array.isArray(a.value)?a.value:[a.value],s=Array.isArray(t[e])||Array.isArray(a.value),c=n;for(let e=0,t=o.length;e<t;e++){let t=o[e],r=h(t,s),i=n%16,a=i%r.boundary,l=i+a;n+=a,l!==0&&16-l<r.storage&&(n+=16-l),e===0&&(c=n),n+=r.storage}a.__data=new(a.type===`int`?Int32Array:a.type===`uint`?Uint32Array:Float32Array)((n-c)/Float32Array.BYTES_PER_ELEMENT),a.__offset=c}}let r=n%16;return r>0&&(n+=16-r),e.__size=n,e.__cache={},this}function h(e,t){let n={boundary:0,storage:0};return typeof e==`number`||typeof e==`boolean`?(n.boundary=4,n.storage=4):e.isVector2?(n.boundary=8,n.storage=8):e.isVector3||e.isColor?(n.boundary=16,n.storage=12):e.isVector4?(n.boundary=16,n.storage=16):e.isMatrix3?(n.boundary=16,n.storage=48):e.isMatrix4?(n.boundary=16,n.storage=64):e.isTexture?J(`WebGLRenderer: Texture samplers can not be part of an uniforms group.`):ArrayBuffer.isView(e)?(n.boundary=16,n.storage=e.byteLength):J(`WebGLRenderer: Unsupported uniform value type.`,e),t===!0&&(n.boundary=16,n.storage=Math.ceil(n.storage/16)*16),n}function g(t){let n=t.target;n.removeEventListener(`dispose`,g),e.deleteBuffer(i[n.id]),delete i[n.id],delete a[n.id]}function _(){for(let t in i)e.deleteBuffer(i[t]);i={},a={}}return{bind:o,update:s,dispose:_}}var Zp=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),Qp=null;function $p(){return Qp===null&&(Qp=new yl(Zp,16,16,ba,sa),Qp.name=`DFG_LUT`,Qp.minFilter=Zi,Qp.magFilter=Zi,Qp.wrapS=Ki,Qp.wrapT=Ki,Qp.generateMipmaps=!1,Qp.needsUpdate=!0),Qp}var em=class{constructor(e={}){let{canvas:t=Eo(),context:n=null,depth:r=!0,stencil:i=!1,alpha:a=!1,antialias:o=!1,premultipliedAlpha:s=!0,preserveDrawingBuffer:c=!1,powerPreference:l=`default`,failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:f=ea}=e;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<`u`&&n instanceof WebGLRenderingContext)throw Error(`THREE.WebGLRenderer: WebGL 1 is not supported since r163.`);p=n.getContextAttributes().alpha}else p=a;let m=f,h=new Set([Sa,xa,ya]),g=new Set([ea,aa,ra,ua,ca,la]),_=new Uint32Array(4),v=new Int32Array(4),y={textures:[],min:[],max:[],resolution:[]},b=null,x=null,S=[],C=[],w=null;this.domElement=t,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=0,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let T=this,E=!1,D=null,O=null,k=null,A=null;this._outputColorSpace=mo;let j=0,M=0,N=null,P=-1,F=null,I=new us,ee=new us,L=null,R=new Xs(0),te=0,ne=t.width,z=t.height,B=1,re=null,ie=null,ae=new us(0,0,ne,z),oe=new us(0,0,ne,z),se=!1,ce=new Cl,le=new Tl,ue=!1,de=!1,fe=new hs,pe=new X,me=new us,he={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},ge=!1;function _e(){return N===null?B:1}let V=n;function H(e,n){return t.getContext(e,n)}let U,ve,W,ye,G,K,be,xe,Se,Ce,we,Te,Ee,De,Oe,ke,Ae,je,Me,Ne,Pe,Fe,Ie;try{let e={alpha:!0,depth:r,stencil:i,antialias:o,premultipliedAlpha:s,preserveDrawingBuffer:c,powerPreference:l,failIfMajorPerformanceCaveat:u};if(`setAttribute`in t&&t.setAttribute(`data-engine`,`three.js r187`),t.addEventListener(`webglcontextlost`,ze,!1),t.addEventListener(`webglcontextrestored`,Be,!1),t.addEventListener(`webglcontextcreationerror`,Ve,!1),V===null){let t=`webgl2`;if(V=H(t,e),V===null)throw H(t)?Error(`THREE.WebGLRenderer: Error creating WebGL context with your selected attributes.`):Error(`THREE.WebGLRenderer: Error creating WebGL context.`)}Le()}catch(e){throw t.removeEventListener(`webglcontextlost`,ze,!1),t.removeEventListener(`webglcontextrestored`,Be,!1),t.removeEventListener(`webglcontextcreationerror`,Ve,!1),Y(`WebGLRenderer: `+e.message),e}function Le(){U=new yd(V),U.init(),Pe=new Hp(V,U),ve=new $u(V,U,e,Pe),W=new Bp(V,U),ve.reversedDepthBuffer&&d&&W.buffers.depth.setReversed(!0),O=V.createFramebuffer(),k=V.createFramebuffer(),A=V.createFramebuffer(),ye=new Sd(V),G=new bp,K=new Vp(V,U,W,G,ve,Pe,ye),be=new vd(T),xe=new Gu(V),Fe=new Zu(V,xe),Se=new bd(V,xe,ye,Fe),Ce=new wd(V,Se,xe,Fe,ye),je=new Cd(V,ve,K),Oe=new ed(G),we=new yp(T,be,U,ve,Fe,Oe),Te=new Yp(T,G),Ee=new wp,De=new jp(U),Ae=new Xu(T,be,W,Ce,p,s),ke=new zp(T,Ce,ve),Ie=new Xp(V,ye,ve,W),Me=new Qu(V,U,ye),Ne=new xd(V,U,ye),ye.programs=we.programs,T.capabilities=ve,T.extensions=U,T.properties=G,T.renderLists=Ee,T.shadowMap=ke,T.state=W,T.info=ye}m!==1009&&(w=new Ed(m,t.width,t.height,o,r,i));let Re=new Kp(T,V);this.xr=Re,this.getContext=function(){return V},this.getContextAttributes=function(){return V.getContextAttributes()},this.forceContextLoss=function(){let e=U.get(`WEBGL_lose_context`);e&&e.loseContext()},this.forceContextRestore=function(){let e=U.get(`WEBGL_lose_context`);e&&e.restoreContext()},this.getPixelRatio=function(){return B},this.setPixelRatio=function(e){e!==void 0&&(B=e,this.setSize(ne,z,!1))},this.getSize=function(e){return e.set(ne,z)},this.setSize=function(e,n,r=!0){Re.isPresenting?J(`WebGLRenderer: Can't change size while VR device is presenting.`):(ne=e,z=n,t.width=Math.floor(e*B),t.height=Math.floor(n*B),r===!0&&(t.style.width=e+`px`,t.style.height=n+`px`),w!==null&&w.setSize(t.width,t.height),this.setViewport(0,0,e,n))},this.getDrawingBufferSize=function(e){return e.set(ne*B,z*B).floor()},this.setDrawingBufferSize=function(e,n,r){ne=e,z=n,B=r,t.width=Math.floor(e*r),t.height=Math.floor(n*r),this.setViewport(0,0,e,n)},this.setEffects=function(e){if(m===1009)Y(`WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.`);else{if(e){for(let t=0;t<e.length;t++)if(e[t].isOutputPass===!0){J(`WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.`);break}}w.setEffects(e||[])}},this.getCurrentViewport=function(e){return e.copy(I)},this.getViewport=function(e){return e.copy(ae)},this.setViewport=function(e,t,n,r){e.isVector4?ae.set(e.x,e.y,e.z,e.w):ae.set(e,t,n,r),W.viewport(I.copy(ae).multiplyScalar(_e()).round())},this.getScissor=function(e){return e.copy(oe)},this.setScissor=function(e,t,n,r){e.isVector4?oe.set(e.x,e.y,e.z,e.w):oe.set(e,t,n,r),W.scissor(ee.copy(oe).multiplyScalar(_e()).round())},this.getScissorTest=function(){return se},this.setScissorTest=function(e){W.setScissorTest(se=e)},this.setOpaqueSort=function(e){re=e},this.setTransparentSort=function(e){ie=e},this.getClearColor=function(e){return e.copy(Ae.getClearColor())},this.setClearColor=function(){Ae.setClearColor(...arguments)},this.getClearAlpha=function(){return Ae.getClearAlpha()},this.setClearAlpha=function(){Ae.setClearAlpha(...arguments)},this.clear=function(e=!0,t=!0,n=!0){let r=0;if(e){let e=!1;if(N!==null){let t=N.texture.format;e=h.has(t)}if(e){let e=N.texture.type,t=g.has(e),n=Ae.getClearColor(),r=Ae.getClearAlpha(),i=n.r,a=n.g,o=n.b;t?(_[0]=i,_[1]=a,_[2]=o,_[3]=r,V.clearBufferuiv(V.COLOR,0,_)):(v[0]=i,v[1]=a,v[2]=o,v[3]=r,V.clearBufferiv(V.COLOR,0,v))}else r|=V.COLOR_BUFFER_BIT}t&&(r|=V.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),n&&(r|=V.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),r!==0&&V.clear(r)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(e){e.setRenderer(this),D=e},this.dispose=function(){t.removeEventListener(`webglcontextlost`,ze,!1),t.removeEventListener(`webglcontextrestored`,Be,!1),t.removeEventListener(`webglcontextcreationerror`,Ve,!1),Ae.dispose(),Ee.dispose(),De.dispose(),K.dispose(),G.dispose(),be.dispose(),Ce.dispose(),Se.dispose(),Fe.dispose(),Ie.dispose(),we.dispose(),Re.dispose(),Re.removeEventListener(`sessionstart`,Je),Re.removeEventListener(`sessionend`,Ye),Xe.stop()};function ze(e){e.preventDefault(),Oo(`WebGLRenderer: Context Lost.`),E=!0}function Be(){Oo(`WebGLRenderer: Context Restored.`),E=!1;let e=ye.autoReset,t=ke.enabled,n=ke.autoUpdate,r=ke.needsUpdate,i=ke.type;Le(),ye.autoReset=e,ke.enabled=t,ke.autoUpdate=n,ke.needsUpdate=r,ke.type=i}function Ve(e){Y(`WebGLRenderer: A WebGL context could not be created. Reason: `,e.statusMessage)}function He(e){let t=e.target;t.removeEventListener(`dispose`,He),Ue(t)}function Ue(e){We(e),G.remove(e)}function We(e){let t=G.get(e).programs;t!==void 0&&(t.forEach(function(e){we.releaseProgram(e)}),e.isShaderMaterial&&we.releaseShaderCache(e))}this.renderBufferDirect=function(e,t,n,r,i,a){t===null&&(t=he);let o=i.isMesh&&i.matrixWorld.determinantAffine()<0,s=st(e,t,n,r,i);W.setMaterial(r,o);let c=n.index,l=1;if(r.wireframe===!0){if(c=Se.getWireframeAttribute(n),c===void 0)return;l=2}let u=n.drawRange,d=n.attributes.position,f=u.start*l,p=(u.start+u.count)*l;a!==null&&(f=Math.max(f,a.start*l),p=Math.min(p,(a.start+a.count)*l)),c===null?d!=null&&(f=Math.max(f,0),p=Math.min(p,d.count)):(f=Math.max(f,0),p=Math.min(p,c.count));let m=p-f;if(m<0||m===1/0)return;Fe.setup(i,r,s,n,c);let h,g=Me;if(c!==null&&(h=xe.get(c),g=Ne,g.setIndex(h)),i.isMesh)r.wireframe===!0?(W.setLineWidth(r.wireframeLinewidth*_e()),g.setMode(V.LINES)):g.setMode(V.TRIANGLES);else if(i.isLine){let e=r.linewidth;e===void 0&&(e=1),W.setLineWidth(e*_e()),i.isLineSegments?g.setMode(V.LINES):i.isLineLoop?g.setMode(V.LINE_LOOP):g.setMode(V.LINE_STRIP)}else i.isPoints?g.setMode(V.POINTS):i.isSprite&&g.setMode(V.TRIANGLES);if(i.isBatchedMesh){if(U.get(`WEBGL_multi_draw`))g.renderMultiDraw(i._multiDrawStarts,i._multiDrawCounts,i._multiDrawCount);else{let e=i._multiDrawStarts,t=i._multiDrawCounts,n=i._multiDrawCount,a=c?xe.get(c).bytesPerElement:1,o=G.get(r).currentProgram.getUniforms();for(let r=0;r<n;r++)o.setValue(V,`_gl_DrawID`,r),g.render(e[r]/a,t[r])}}else if(i.isInstancedMesh)g.renderInstances(f,m,i.count);else if(n.isInstancedBufferGeometry){let e=n._maxInstanceCount===void 0?1/0:n._maxInstanceCount,t=Math.min(n.instanceCount,e);g.renderInstances(f,m,t)}else g.render(f,m)};function Ge(e,t,n,r){D!==null&&e.isNodeMaterial&&D.setObject(r,e),ue===!0&&Oe.setState(e,n,!1),e.transparent===!0&&e.side===2&&e.forceSinglePass===!1?(e.side=1,e.needsUpdate=!0,rt(e,t,r),e.side=0,e.needsUpdate=!0,rt(e,t,r),e.side=2):rt(e,t,r)}this.compile=function(e,t,n=null){n===null&&(n=e),D!==null&&D.renderStart(e,t,n),x=De.get(n),x.init(t),C.push(x),n.traverseVisible(function(e){e.isLight&&e.layers.test(t.layers)&&(x.pushLight(e),e.castShadow&&x.pushShadow(e))}),e!==n&&e.traverseVisible(function(e){e.isLight&&e.layers.test(t.layers)&&(x.pushLight(e),e.castShadow&&x.pushShadow(e))}),x.setupLights(),D!==null&&D.updateLights(x.state.lightsArray),de=this.localClippingEnabled,ue=Oe.init(this.clippingPlanes,de),ue===!0&&Oe.setGlobalState(this.clippingPlanes,t),D!==null&&ke.render(x.state.shadowsArray,n,t);let r=new Set;return e.traverse(function(e){if(!(e.isMesh||e.isPoints||e.isLine||e.isSprite))return;let i=e.material;if(i){if(Array.isArray(i))for(let a=0;a<i.length;a++){let o=i[a];Ge(o,n,t,e),r.add(o)}else Ge(i,n,t,e),r.add(i)}}),x=C.pop(),D!==null&&D.renderEnd(),r},this.compileAsync=function(e,t,n=null){let r=this.compile(e,t,n);return new Promise(t=>{function n(){r.forEach(function(e){let t=G.get(e).currentProgram;(t===void 0||t.isReady())&&r.delete(e)}),r.size===0?t(e):setTimeout(n,10)}U.get(`KHR_parallel_shader_compile`)===null?setTimeout(n,10):n()})};let Ke=null;function qe(e){Ke&&Ke(e)}function Je(){Xe.stop()}function Ye(){Xe.start()}let Xe=new Wu;Xe.setAnimationLoop(qe),typeof self<`u`&&Xe.setContext(self),this.setAnimationLoop=function(e){Ke=e,Re.setAnimationLoop(e),e===null?Xe.stop():Xe.start()},Re.addEventListener(`sessionstart`,Je),Re.addEventListener(`sessionend`,Ye),this.render=function(e,t){if(t!==void 0&&t.isCamera!==!0){Y(`WebGLRenderer.render: camera is not an instance of THREE.Camera.`);return}if(E===!0)return;D!==null&&D.renderStart(e,t);let n=Re.enabled===!0&&Re.isPresenting===!0,r=w!==null&&(N===null||n)&&w.begin(T,N);if(e.matrixWorldAutoUpdate===!0&&e.updateMatrixWorld(),t.parent===null&&t.matrixWorldAutoUpdate===!0&&t.updateMatrixWorld(),Re.enabled===!0&&Re.isPresenting===!0&&(w===null||w.isCompositing()===!1)&&(Re.cameraAutoUpdate===!0&&Re.updateCamera(t),t=Re.getCamera()),e.isScene===!0&&e.onBeforeRender(T,e,t,N),x=De.get(e,C.length),x.init(t),x.state.textureUnits=K.getTextureUnits(),C.push(x),fe.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),t.isArrayCamera?le.setFromArrayCamera(t):ce.setFromProjectionMatrix(fe,So,t.reversedDepth),de=this.localClippingEnabled,ue=Oe.init(this.clippingPlanes,de),b=Ee.get(e,S.length),b.init(),S.push(b),this.info.render.frame++,Re.enabled===!0&&Re.isPresenting===!0){let e=T.xr.getDepthSensingMesh();e!==null&&Ze(e,t,-1/0,T.sortObjects)}Ze(e,t,0,T.sortObjects),b.finish(),D!==null&&D.updateLights(x.state.lightsArray),T.sortObjects===!0&&b.sort(re,ie),ge=Re.enabled===!1||Re.isPresenting===!1||Re.hasDepthSensing()===!1,ge&&Ae.addToRenderList(b,e),this.info.autoReset===!0&&this.info.reset(),ue===!0&&Oe.beginShadows();let i=x.state.shadowsArray;if(ke.render(i,e,t),ue===!0&&Oe.endShadows(),(r&&w.hasRenderPass())===!1){let n=b.opaque,r=b.transmissive;if(x.setupLights(),t.isArrayCamera){let i=t.cameras;if(r.length>0)for(let t=0,a=i.length;t<a;t++){let a=i[t];$e(n,r,e,a)}ge&&Ae.render(e);for(let t=0,n=i.length;t<n;t++){let n=i[t];Qe(b,e,n,n.viewport)}}else r.length>0&&$e(n,r,e,t),ge&&Ae.render(e),Qe(b,e,t)}N!==null&&M===0&&(K.updateMultisampleRenderTarget(N),K.updateRenderTargetMipmap(N)),r&&w.end(T),e.isScene===!0&&e.onAfterRender(T,e,t),Fe.resetDefaultState(),P=-1,F=null,C.pop(),C.length>0?(x=C[C.length-1],K.setTextureUnits(x.state.textureUnits),ue===!0&&Oe.setGlobalState(T.clippingPlanes,x.state.camera)):x=null,S.pop(),b=S.length>0?S[S.length-1]:null,D!==null&&D.renderEnd()};function Ze(e,t,n,r){if(e.visible===!1)return;if(e.layers.test(t.layers)){if(e.isGroup)n=e.renderOrder;else if(e.isLOD)e.autoUpdate===!0&&e.update(t);else if(e.isLight)x.pushLight(e),e.castShadow&&x.pushShadow(e);else if(e.isSprite){let i=t.isArrayCamera?le:ce;if(!e.frustumCulled||e.intersectsFrustum(i)){r&&me.setFromMatrixPosition(e.matrixWorld).applyMatrix4(fe);let i=Ce.update(e),a=e.material;a.visible&&b.push(e,i,a,n,me.z,null,t)}}else if(e.isMesh||e.isLine||e.isPoints){let i=t.isArrayCamera?le:ce;if(!e.frustumCulled||e.intersectsFrustum(i)){let i=Ce.update(e),a=e.material;if(r&&(e.boundingSphere===void 0?(i.boundingSphere===null&&i.computeBoundingSphere(),me.copy(i.boundingSphere.center)):(e.boundingSphere===null&&e.computeBoundingSphere(),me.copy(e.boundingSphere.center)),me.applyMatrix4(e.matrixWorld).applyMatrix4(fe)),Array.isArray(a)){let r=i.groups;for(let o=0,s=r.length;o<s;o++){let s=r[o],c=a[s.materialIndex];c&&c.visible&&b.push(e,i,c,n,me.z,s,t)}}else a.visible&&b.push(e,i,a,n,me.z,null,t)}}}let i=e.children;for(let e=0,a=i.length;e<a;e++)Ze(i[e],t,n,r)}function Qe(e,t,n,r){let{opaque:i,transmissive:a,transparent:o}=e;x.setupLightsView(n),ue===!0&&Oe.setGlobalState(T.clippingPlanes,n),r&&W.viewport(I.copy(r)),i.length>0&&et(i,t,n),a.length>0&&et(a,t,n),o.length>0&&et(o,t,n),W.buffers.depth.setTest(!0),W.buffers.depth.setMask(!0),W.buffers.color.setMask(!0),W.setPolygonOffset(!1)}function $e(e,t,n,r){if((n.isScene===!0?n.overrideMaterial:null)!==null)return;if(x.state.transmissionRenderTarget[r.id]===void 0){let e=U.has(`EXT_color_buffer_half_float`)||U.has(`EXT_color_buffer_float`);x.state.transmissionRenderTarget[r.id]=new fs(1,1,{generateMipmaps:!0,type:e?sa:ea,minFilter:$i,samples:Math.max(4,ve.samples),stencilBuffer:i,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:$o.workingColorSpace})}let a=x.state.transmissionRenderTarget[r.id],o=r.viewport||I;a.setSize(o.z*T.transmissionResolutionScale,o.w*T.transmissionResolutionScale);let s=T.getRenderTarget(),c=T.getActiveCubeFace(),l=T.getActiveMipmapLevel();T.setRenderTarget(a),T.getClearColor(R),te=T.getClearAlpha(),te<1&&T.setClearColor(16777215,.5),T.clear(),ge&&Ae.render(n);let u=T.toneMapping;T.toneMapping=0;let d=r.viewport;if(r.viewport!==void 0&&(r.viewport=void 0),x.setupLightsView(r),ue===!0&&Oe.setGlobalState(T.clippingPlanes,r),et(e,n,r),K.updateMultisampleRenderTarget(a),K.updateRenderTargetMipmap(a),U.has(`WEBGL_multisampled_render_to_texture`)===!1){let e=!1;for(let i=0,a=t.length;i<a;i++){let{object:a,geometry:o,material:s,group:c}=t[i];if(s.side===2&&a.layers.test(r.layers)){let t=s.side;s.side=1,s.needsUpdate=!0,tt(a,n,r,o,s,c),s.side=t,s.needsUpdate=!0,e=!0}}e===!0&&(K.updateMultisampleRenderTarget(a),K.updateRenderTargetMipmap(a))}T.setRenderTarget(s,c,l),T.setClearColor(R,te),d!==void 0&&(r.viewport=d),T.toneMapping=u}function et(e,t,n){let r=t.isScene===!0?t.overrideMaterial:null;for(let i=0,a=e.length;i<a;i++){let a=e[i],{object:o,geometry:s,group:c}=a,l=a.material;l.allowOverride===!0&&r!==null&&(l=r),o.layers.test(n.layers)&&tt(o,t,n,s,l,c)}}function tt(e,t,n,r,i,a){D!==null&&i.isNodeMaterial&&D.setObject(e,i),e.onBeforeRender(T,t,n,r,i,a),e.modelViewMatrix.multiplyMatrices(n.matrixWorldInverse,e.matrixWorld),e.normalMatrix.getNormalMatrix(e.modelViewMatrix),i.onBeforeRender(T,t,n,r,e,a),i.transparent===!0&&i.side===2&&i.forceSinglePass===!1?(i.side=1,i.needsUpdate=!0,T.renderBufferDirect(n,t,r,i,e,a),i.side=0,i.needsUpdate=!0,T.renderBufferDirect(n,t,r,i,e,a),i.side=2):T.renderBufferDirect(n,t,r,i,e,a),e.onAfterRender(T,t,n,r,i,a)}function nt(e){let t=0;for(let n of e)n.texture!==null&&t++;return t}function rt(e,t,n){t.isScene!==!0&&(t=he);let r=G.get(e),i=x.state.lights,a=x.state.shadowsArray,o=i.state.version,s=we.getParameters(e,i.state,a,t,n,x.state.lightProbeGridArray),c=we.getProgramCacheKey(s),l=r.programs;r.environment=e.isMeshStandardMaterial||e.isMeshLambertMaterial||e.isMeshPhongMaterial?t.environment:null,r.fog=t.fog;let u=e.isMeshStandardMaterial||e.isMeshLambertMaterial&&!e.envMap||e.isMeshPhongMaterial&&!e.envMap;r.envMap=be.get(e.envMap||r.environment,u),r.envMapRotation=r.environment!==null&&e.envMap===null?t.environmentRotation:e.envMapRotation,l===void 0&&(e.addEventListener(`dispose`,He),l=new Map,r.programs=l,r.programVariants=new Map);let d=l.get(c);if(d!==void 0){if(r.currentProgram===d&&r.lightsStateVersion===o)return ot(e,s),d}else s.uniforms=we.getUniforms(e),D!==null&&e.isNodeMaterial&&D.build(e,n,s),e.onBeforeCompile(s,T),d=we.acquireProgram(s,c),l.set(c,d),r.uniforms=s.uniforms;let f=r.uniforms;return(!e.isShaderMaterial&&!e.isRawShaderMaterial||e.clipping===!0)&&(f.clippingPlanes=Oe.uniform),ot(e,s),r.needsLights=lt(e),r.lightsStateVersion=o,r.needsLights&&(f.ambientLightColor.value=i.state.ambient,f.lightProbe.value=i.state.probe,f.sunLights.value=i.state.sun,f.sunLightShadows.value=i.state.sunShadow,f.directionalLights.value=i.state.directional,f.directionalLightShadows.value=i.state.directionalShadow,f.spotLights.value=i.state.spot,f.spotLightShadows.value=i.state.spotShadow,f.rectAreaLights.value=i.state.rectArea,f.ltc_1.value=i.state.rectAreaLTC1,f.ltc_2.value=i.state.rectAreaLTC2,f.pointLights.value=i.state.point,f.pointLightShadows.value=i.state.pointShadow,f.hemisphereLights.value=i.state.hemi,f.sunShadowMatrix.value=i.state.sunShadowMatrix,f.sunShadowCascade.value=i.state.sunShadowCascade,f.directionalShadowMatrix.value=i.state.directionalShadowMatrix,f.spotLightMatrix.value=i.state.spotLightMatrix,f.spotLightMap.value=i.state.spotLightMap,f.pointShadowMatrix.value=i.state.pointShadowMatrix),r.numLightProbeGrids=nt(x.state.lightProbeGridArray),r.currentProgram=d,r.uniformsList=null,d}function it(e,t,n,r,i){let a=G.get(e),o=a.currentProgram.id+`,`+r+`,`+i,s=a.programVariants.get(o);return s===void 0?(s=rt(e,t,n),a.programVariants.set(o,s)):(a.currentProgram=s,a.uniformsList=null,a.outputColorSpace=r,a.toneMapping=i),s}function at(e){if(e.uniformsList===null){let t=e.currentProgram.getUniforms();e.uniformsList=If.seqWithValue(t.seq,e.uniforms)}return e.uniformsList}function ot(e,t){let n=G.get(e);n.outputColorSpace=t.outputColorSpace,n.batching=t.batching,n.batchingColor=t.batchingColor,n.instancing=t.instancing,n.instancingColor=t.instancingColor,n.instancingMorph=t.instancingMorph,n.skinning=t.skinning,n.morphTargets=t.morphTargets,n.morphNormals=t.morphNormals,n.morphColors=t.morphColors,n.morphTargetsCount=t.morphTargetsCount,n.numClippingPlanes=t.numClippingPlanes,n.numIntersection=t.numClipIntersection,n.vertexAlphas=t.vertexAlphas,n.vertexTangents=t.vertexTangents,n.toneMapping=t.toneMapping}function st(e,t,n,r,i){t.isScene!==!0&&(t=he),K.resetTextureUnits();let a=t.fog,o=r.isMeshStandardMaterial||r.isMeshLambertMaterial||r.isMeshPhongMaterial?t.environment:null,s=N===null?T.outputColorSpace:N.isXRRenderTarget===!0?N.texture.colorSpace:$o.workingColorSpace,c=r.isMeshStandardMaterial||r.isMeshLambertMaterial&&!r.envMap||r.isMeshPhongMaterial&&!r.envMap,l=be.get(r.envMap||o,c),u=r.vertexColors===!0&&!!n.attributes.color&&n.attributes.color.itemSize===4,d=!!n.attributes.tangent&&(!!r.normalMap||r.anisotropy>0),f=!!n.morphAttributes.position,p=!!n.morphAttributes.normal,m=!!n.morphAttributes.color,h=0;r.toneMapped&&(N===null||N.isXRRenderTarget===!0)&&(h=T.toneMapping);let g=n.morphAttributes.position||n.morphAttributes.normal||n.morphAttributes.color,_=g===void 0?0:g.length,v=G.get(r),b=x.state.lights;if(ue===!0&&(de===!0||e!==F)){let t=e===F&&r.id===P;Oe.setState(r,e,t)}let S=!1,C=!1;r.version===v.__version?v.needsLights&&v.lightsStateVersion!==b.state.version||i.isBatchedMesh&&v.batching===!1||!i.isBatchedMesh&&v.batching===!0||i.isBatchedMesh&&v.batchingColor===!0&&i._colorsTexture===null||i.isBatchedMesh&&v.batchingColor===!1&&i._colorsTexture!==null||i.isInstancedMesh&&v.instancing===!1||!i.isInstancedMesh&&v.instancing===!0||i.isSkinnedMesh&&v.skinning===!1||!i.isSkinnedMesh&&v.skinning===!0||i.isInstancedMesh&&v.instancingColor===!0&&i.instanceColor===null||i.isInstancedMesh&&v.instancingColor===!1&&i.instanceColor!==null||i.isInstancedMesh&&v.instancingMorph===!0&&i.morphTexture===null||i.isInstancedMesh&&v.instancingMorph===!1&&i.morphTexture!==null?S=!0:v.envMap===l?r.fog===!0&&v.fog!==a||v.numClippingPlanes!==void 0&&(v.numClippingPlanes!==Oe.numPlanes||v.numIntersection!==Oe.numIntersection)?S=!0:v.vertexAlphas===u&&v.vertexTangents===d&&v.morphTargets===f&&v.morphNormals===p&&v.morphColors===m&&v.morphTargetsCount===_&&v.numLightProbeGrids===nt(x.state.lightProbeGridArray)?(v.outputColorSpace!==s||v.toneMapping!==h)&&(C=!0):S=!0:S=!0:(S=!0,v.__version=r.version);let w=v.currentProgram;(S===!0||C===!0)&&(w=C===!0?it(r,t,i,s,h):rt(r,t,i),D&&r.isNodeMaterial&&D.onUpdateProgram(r,w,v));let E=!1,O=!1,k=!1,A=w.getUniforms(),j=v.uniforms;if(W.useProgram(w.program)&&(E=!0,O=!0,k=!0),r.id!==P&&(P=r.id,O=!0),E||F!==e){W.buffers.depth.getReversed()&&e.reversedDepth!==!0&&(e._reversedDepth=!0,e.updateProjectionMatrix()),A.setValue(V,`projectionMatrix`,e.projectionMatrix),A.setValue(V,`viewMatrix`,e.matrixWorldInverse);let t=A.map.cameraPosition;t!==void 0&&t.setValue(V,pe.setFromMatrixPosition(e.matrixWorld)),ve.logarithmicDepthBuffer&&A.setValue(V,`logDepthBufFC`,2/(Math.log(e.far+1)/Math.LN2)),(r.isMeshPhongMaterial||r.isMeshToonMaterial||r.isMeshLambertMaterial||r.isMeshBasicMaterial||r.isMeshStandardMaterial||r.isShaderMaterial)&&A.setValue(V,`isOrthographic`,e.isOrthographicCamera===!0),F!==e&&(F=e,O=!0,k=!0)}if(v.needsLights&&(b.state.sunShadowMap.length>0&&A.setValue(V,`sunShadowMap`,b.state.sunShadowMap,K),b.state.directionalShadowMap.length>0&&A.setValue(V,`directionalShadowMap`,b.state.directionalShadowMap,K),b.state.spotShadowMap.length>0&&A.setValue(V,`spotShadowMap`,b.state.spotShadowMap,K),b.state.pointShadowMap.length>0&&A.setValue(V,`pointShadowMap`,b.state.pointShadowMap,K)),i.isSkinnedMesh){A.setOptional(V,i,`bindMatrix`),A.setOptional(V,i,`bindMatrixInverse`);let e=i.skeleton;e&&(e.boneTexture===null&&e.computeBoneTexture(),A.setValue(V,`boneTexture`,e.boneTexture,K))}i.isBatchedMesh&&(A.setOptional(V,i,`batchingTexture`),A.setValue(V,`batchingTexture`,i._matricesTexture,K),A.setOptional(V,i,`batchingIdTexture`),A.setValue(V,`batchingIdTexture`,i._indirectTexture,K),A.setOptional(V,i,`batchingColorTexture`),i._colorsTexture!==null&&A.setValue(V,`batchingColorTexture`,i._colorsTexture,K));let M=n.morphAttributes;if((M.position!==void 0||M.normal!==void 0||M.color!==void 0)&&je.update(i,n,w),(O||v.receiveShadow!==i.receiveShadow)&&(v.receiveShadow=i.receiveShadow,A.setValue(V,`receiveShadow`,i.receiveShadow)),(r.isMeshStandardMaterial||r.isMeshLambertMaterial||r.isMeshPhongMaterial)&&r.envMap===null&&t.environment!==null&&(j.envMapIntensity.value=t.environmentIntensity),j.dfgLUT!==void 0&&(j.dfgLUT.value=$p()),O){if(A.setValue(V,`toneMappingExposure`,T.toneMappingExposure),v.needsLights&&ct(j,k),a&&r.fog===!0&&Te.refreshFogUniforms(j,a),Te.refreshMaterialUniforms(j,r,B,z,x.state.transmissionRenderTarget[e.id]),v.needsLights&&v.numLightProbeGrids>0){let e=y,t=0;for(let n of x.state.lightProbeGridArray)n.texture!==null&&(e.textures[t]=n.texture,e.min[t]=n.boundingBox.min,e.max[t]=n.boundingBox.max,e.resolution[t]=n.resolution,t++);for(let n in e)e[n].length=t;j.probesSH.value=e.textures,j.probesMin.value=e.min,j.probesMax.value=e.max,j.probesResolution.value=e.resolution}If.upload(V,at(v),j,K)}if(r.isShaderMaterial&&r.uniformsNeedUpdate===!0&&(If.upload(V,at(v),j,K),r.uniformsNeedUpdate=!1),r.isSpriteMaterial&&A.setValue(V,`center`,i.center),A.setValue(V,`modelViewMatrix`,i.modelViewMatrix),A.setValue(V,`normalMatrix`,i.normalMatrix),A.setValue(V,`modelMatrix`,i.matrixWorld),r.uniformsGroups!==void 0){let e=r.uniformsGroups;for(let t=0,n=e.length;t<n;t++){let n=e[t];Ie.update(n,w),Ie.bind(n,w)}}return w}function ct(e,t){e.ambientLightColor.needsUpdate=t,e.lightProbe.needsUpdate=t,e.sunLights.needsUpdate=t,e.sunLightShadows.needsUpdate=t,e.directionalLights.needsUpdate=t,e.directionalLightShadows.needsUpdate=t,e.pointLights.needsUpdate=t,e.pointLightShadows.needsUpdate=t,e.spotLights.needsUpdate=t,e.spotLightShadows.needsUpdate=t,e.rectAreaLights.needsUpdate=t,e.hemisphereLights.needsUpdate=t}function lt(e){return e.isMeshLambertMaterial||e.isMeshToonMaterial||e.isMeshPhongMaterial||e.isMeshStandardMaterial||e.isShadowMaterial||e.isShaderMaterial&&e.lights===!0}this.getActiveCubeFace=function(){return j},this.getActiveMipmapLevel=function(){return M},this.getRenderTarget=function(){return N},this.setRenderTargetTextures=function(e,t,n){let r=G.get(e);r.__autoAllocateDepthBuffer=e.resolveDepthBuffer===!1,r.__autoAllocateDepthBuffer===!1&&(r.__useRenderToTexture=!1),G.get(e.texture).__webglTexture=t,G.get(e.depthTexture).__webglTexture=r.__autoAllocateDepthBuffer?void 0:n,r.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(e,t){let n=G.get(e);n.__webglFramebuffer=t,n.__useDefaultFramebuffer=t===void 0},this.setRenderTarget=function(e,t=0,n=0){N=e,j=t,M=n;let r=null,i=!1,a=!1;if(e){let o=G.get(e);if(o.__useDefaultFramebuffer!==void 0){W.bindFramebuffer(V.FRAMEBUFFER,o.__webglFramebuffer),I.copy(e.viewport),ee.copy(e.scissor),L=e.scissorTest,W.viewport(I),W.scissor(ee),W.setScissorTest(L),P=-1;return}if(o.__webglFramebuffer===void 0)K.setupRenderTarget(e);else if(o.__hasExternalTextures)K.rebindTextures(e,G.get(e.texture).__webglTexture,G.get(e.depthTexture).__webglTexture);else if(e.depthBuffer){let t=e.depthTexture;if(o.__boundDepthTexture!==t){if(t!==null&&G.has(t)&&(e.width!==t.image.width||e.height!==t.image.height))throw Error(`THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.`);K.setupDepthRenderbuffer(e)}}let s=e.texture;(s.isData3DTexture||s.isDataArrayTexture||s.isCompressedArrayTexture)&&(a=!0);let c=G.get(e).__webglFramebuffer;e.isWebGLCubeRenderTarget?(r=Array.isArray(c[t])?c[t][n]:c[t],i=!0):r=e.samples>0&&K.useMultisampledRTT(e)===!1?G.get(e).__webglMultisampledFramebuffer:Array.isArray(c)?c[n]:c,I.copy(e.viewport),ee.copy(e.scissor),L=e.scissorTest}else I.copy(ae).multiplyScalar(B).floor(),ee.copy(oe).multiplyScalar(B).floor(),L=se;if(n!==0&&(r=O),W.bindFramebuffer(V.FRAMEBUFFER,r)&&W.drawBuffers(e,r),W.viewport(I),W.scissor(ee),W.setScissorTest(L),i){let r=G.get(e.texture);V.framebufferTexture2D(V.FRAMEBUFFER,V.COLOR_ATTACHMENT0,V.TEXTURE_CUBE_MAP_POSITIVE_X+t,r.__webglTexture,n)}else if(a){let r=t;for(let t=0;t<e.textures.length;t++){let i=G.get(e.textures[t]);V.framebufferTextureLayer(V.FRAMEBUFFER,V.COLOR_ATTACHMENT0+t,i.__webglTexture,n,r)}}else if(e!==null&&n!==0){let t=G.get(e.texture);V.framebufferTexture2D(V.FRAMEBUFFER,V.COLOR_ATTACHMENT0,V.TEXTURE_2D,t.__webglTexture,n)}P=-1};function ut(e){let t=G.get(e);return(t.__readFormat!==e.format||t.__readType!==e.type)&&(t.__readFormat=e.format,t.__readType=e.type,t.__formatReadable=ve.textureFormatReadable(e.format),t.__typeReadable=ve.textureTypeReadable(e.type)),t}this.readRenderTargetPixels=function(e,t,n,r,i,a,o,s=0){if(!(e&&e.isWebGLRenderTarget)){Y(`WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.`);return}let c=G.get(e).__webglFramebuffer;if(e.isWebGLCubeRenderTarget&&o!==void 0&&(c=c[o],Array.isArray(c)&&(c=c[0])),c){W.bindFramebuffer(V.FRAMEBUFFER,c);try{let o=e.textures[s],c=o.format,l=o.type;e.textures.length>1&&V.readBuffer(V.COLOR_ATTACHMENT0+s);let u=ut(o);if(u.__formatReadable===!1){Y(`WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.`);return}if(u.__typeReadable===!1){Y(`WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.`);return}t>=0&&t<=e.width-r&&n>=0&&n<=e.height-i&&V.readPixels(t,n,r,i,Pe.convert(c),Pe.convert(l),a)}finally{let e=N===null?null:G.get(N).__webglFramebuffer;W.bindFramebuffer(V.FRAMEBUFFER,e)}}},this.readRenderTargetPixelsAsync=async function(e,t,n,r,i,a,o,s=0){if(!(e&&e.isWebGLRenderTarget))throw Error(`THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.`);let c=G.get(e).__webglFramebuffer;if(e.isWebGLCubeRenderTarget&&o!==void 0&&(c=c[o],Array.isArray(c)&&(c=c[0])),c){if(t>=0&&t<=e.width-r&&n>=0&&n<=e.height-i){W.bindFramebuffer(V.FRAMEBUFFER,c);let o=e.textures[s],l=o.format,u=o.type;e.textures.length>1&&V.readBuffer(V.COLOR_ATTACHMENT0+s);let d=ut(o);if(d.__formatReadable===!1)throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.`);if(d.__typeReadable===!1)throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.`);let f=V.createBuffer();V.bindBuffer(V.PIXEL_PACK_BUFFER,f),V.bufferData(V.PIXEL_PACK_BUFFER,a.byteLength,V.STREAM_READ),V.readPixels(t,n,r,i,Pe.convert(l),Pe.convert(u),0),V.bindBuffer(V.PIXEL_PACK_BUFFER,null);let p=N===null?null:G.get(N).__webglFramebuffer;W.bindFramebuffer(V.FRAMEBUFFER,p);let m=V.fenceSync(V.SYNC_GPU_COMMANDS_COMPLETE,0);return V.flush(),await jo(V,m,4),V.bindBuffer(V.PIXEL_PACK_BUFFER,f),V.getBufferSubData(V.PIXEL_PACK_BUFFER,0,a),V.bindBuffer(V.PIXEL_PACK_BUFFER,null),V.deleteBuffer(f),V.deleteSync(m),a}throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.`)}},this.copyFramebufferToTexture=function(e,t=null,n=0){let r=2**-n,i=Math.floor(e.image.width*r),a=Math.floor(e.image.height*r),o=t===null?0:t.x,s=t===null?0:t.y;K.setTexture2D(e,0),V.copyTexSubImage2D(V.TEXTURE_2D,n,0,0,o,s,i,a),W.unbindTexture()},this.copyTextureToTexture=function(e,t,n=null,r=null,i=0,a=0){let o,s,c,l,u,d,f,p,m,h=e.isCompressedTexture?e.mipmaps[a]:e.image;if(n!==null)o=n.max.x-n.min.x,s=n.max.y-n.min.y,c=n.isBox3?n.max.z-n.min.z:1,l=n.min.x,u=n.min.y,d=n.isBox3?n.min.z:0;else{let t=2**-i;o=Math.floor(h.width*t),s=Math.floor(h.height*t),c=e.isDataArrayTexture?h.depth:e.isData3DTexture?Math.floor(h.depth*t):1,l=0,u=0,d=0}r===null?(f=0,p=0,m=0):(f=r.x,p=r.y,m=r.z);let g=Pe.convert(t.format),_=Pe.convert(t.type),v;t.isData3DTexture?(K.setTexture3D(t,0),v=V.TEXTURE_3D):t.isDataArrayTexture||t.isCompressedArrayTexture?(K.setTexture2DArray(t,0),v=V.TEXTURE_2D_ARRAY):(K.setTexture2D(t,0),v=V.TEXTURE_2D),W.activeTexture(V.TEXTURE0),W.pixelStorei(V.UNPACK_FLIP_Y_WEBGL,t.flipY),W.pixelStorei(V.UNPACK_PREMULTIPLY_ALPHA_WEBGL,t.premultiplyAlpha),W.pixelStorei(V.UNPACK_ALIGNMENT,t.unpackAlignment);let y=W.getParameter(V.UNPACK_ROW_LENGTH),b=W.getParameter(V.UNPACK_IMAGE_HEIGHT),x=W.getParameter(V.UNPACK_SKIP_PIXELS),S=W.getParameter(V.UNPACK_SKIP_ROWS),C=W.getParameter(V.UNPACK_SKIP_IMAGES);W.pixelStorei(V.UNPACK_ROW_LENGTH,h.width),W.pixelStorei(V.UNPACK_IMAGE_HEIGHT,h.height),W.pixelStorei(V.UNPACK_SKIP_PIXELS,l),W.pixelStorei(V.UNPACK_SKIP_ROWS,u),W.pixelStorei(V.UNPACK_SKIP_IMAGES,d);let w=e.isDataArrayTexture||e.isData3DTexture,T=t.isDataArrayTexture||t.isData3DTexture;if(e.isDepthTexture){let n=G.get(e),r=G.get(t),h=G.get(n.__renderTarget),g=G.get(r.__renderTarget);W.bindFramebuffer(V.READ_FRAMEBUFFER,h.__webglFramebuffer),W.bindFramebuffer(V.DRAW_FRAMEBUFFER,g.__webglFramebuffer);for(let n=0;n<c;n++)w&&(V.framebufferTextureLayer(V.READ_FRAMEBUFFER,V.COLOR_ATTACHMENT0,G.get(e).__webglTexture,i,d+n),V.framebufferTextureLayer(V.DRAW_FRAMEBUFFER,V.COLOR_ATTACHMENT0,G.get(t).__webglTexture,a,m+n)),V.blitFramebuffer(l,u,l+o,u+s,f,p,f+o,p+s,V.DEPTH_BUFFER_BIT,V.NEAREST);W.bindFramebuffer(V.READ_FRAMEBUFFER,null),W.bindFramebuffer(V.DRAW_FRAMEBUFFER,null)}else if(i!==0||e.isRenderTargetTexture||G.has(e)){let n=G.get(e),r=G.get(t);W.bindFramebuffer(V.READ_FRAMEBUFFER,k),W.bindFramebuffer(V.DRAW_FRAMEBUFFER,A);for(let e=0;e<c;e++)w?V.framebufferTextureLayer(V.READ_FRAMEBUFFER,V.COLOR_ATTACHMENT0,n.__webglTexture,i,d+e):V.framebufferTexture2D(V.READ_FRAMEBUFFER,V.COLOR_ATTACHMENT0,V.TEXTURE_2D,n.__webglTexture,i),T?V.framebufferTextureLayer(V.DRAW_FRAMEBUFFER,V.COLOR_ATTACHMENT0,r.__webglTexture,a,m+e):V.framebufferTexture2D(V.DRAW_FRAMEBUFFER,V.COLOR_ATTACHMENT0,V.TEXTURE_2D,r.__webglTexture,a),i===0?T?V.copyTexSubImage3D(v,a,f,p,m+e,l,u,o,s):V.copyTexSubImage2D(v,a,f,p,l,u,o,s):V.blitFramebuffer(l,u,l+o,u+s,f,p,f+o,p+s,V.COLOR_BUFFER_BIT,V.NEAREST);W.bindFramebuffer(V.READ_FRAMEBUFFER,null),W.bindFramebuffer(V.DRAW_FRAMEBUFFER,null)}else T?e.isDataTexture||e.isData3DTexture?V.texSubImage3D(v,a,f,p,m,o,s,c,g,_,h.data):t.isCompressedArrayTexture?V.compressedTexSubImage3D(v,a,f,p,m,o,s,c,g,h.data):V.texSubImage3D(v,a,f,p,m,o,s,c,g,_,h):e.isDataTexture?V.texSubImage2D(V.TEXTURE_2D,a,f,p,o,s,g,_,h.data):e.isCompressedTexture?V.compressedTexSubImage2D(V.TEXTURE_2D,a,f,p,h.width,h.height,g,h.data):V.texSubImage2D(V.TEXTURE_2D,a,f,p,o,s,g,_,h);W.pixelStorei(V.UNPACK_ROW_LENGTH,y),W.pixelStorei(V.UNPACK_IMAGE_HEIGHT,b),W.pixelStorei(V.UNPACK_SKIP_PIXELS,x),W.pixelStorei(V.UNPACK_SKIP_ROWS,S),W.pixelStorei(V.UNPACK_SKIP_IMAGES,C),a===0&&t.generateMipmaps===!0&&t.mipmapsAutoUpdate===!0&&V.generateMipmap(v),W.unbindTexture()},this.initRenderTarget=function(e){G.get(e).__webglFramebuffer===void 0&&K.setupRenderTarget(e)},this.initTexture=function(e){e.isCubeTexture?K.setTextureCube(e,0):e.isData3DTexture?K.setTexture3D(e,0):e.isDataArrayTexture||e.isCompressedArrayTexture?K.setTexture2DArray(e,0):K.setTexture2D(e,0),W.unbindTexture()},this.resetState=function(){j=0,M=0,N=null,W.reset(),Fe.reset()},typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`observe`,{detail:this}))}get coordinateSystem(){return So}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(e){this._outputColorSpace=e;let t=this.getContext();t.drawingBufferColorSpace=$o._getDrawingBufferColorSpace(e),t.unpackColorSpace=$o._getUnpackColorSpace()}};function tm(e){return e.toFixed(4)}var nm={largest:.36,leastPixels:1.5},rm=`
precision highp float;
uniform mat4 projectionMatrix;
uniform mat4 viewMatrix;
uniform float scale;
uniform float pixels;
in vec3 position;
in vec4 paint;
in float isCross;
out vec4 color;
void main() {
    color = vec4(paint.rgb, isCross);
    vec4 seen = viewMatrix * vec4(position, 1.0);
    seen.z += 0.12; // before the links that end at it
    gl_Position = projectionMatrix * seen;
    if (paint.a == 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    float size = paint.a * ${tm(nm.largest)} * scale / gl_Position.w;
    gl_PointSize = clamp(max(size, ${tm(nm.leastPixels)} * (1.0 + 3.0 * isCross)) * pixels, 1.0, 200.0);
}`,im=`
precision mediump float;
in vec4 color;
out vec4 fragment;
void main() {
    vec2 at = 2.0 * gl_PointCoord - 1.0;
    if (color.a > 0.5) {
        if (abs(abs(at.x) - abs(at.y)) > 0.3) discard;
    } else if (dot(at, at) > 1.0) discard;
    fragment = vec4(color.rgb, 1.0);
}`,am=class{points;words=new Uint32Array;isCross=new Uint8Array;edition=0;constructor(){let e=new Jl({glslVersion:xo,vertexShader:rm,fragmentShader:im,uniforms:{scale:{value:1},pixels:{value:1}}});this.points=new jl(new Kc,e),this.points.frustumCulled=!1,this.points.renderOrder=1}set(e,t,n){this.words=t,this.isCross=n,this.points.geometry.dispose();let r=new Kc;r.setAttribute(`position`,new jc(e,3)),r.setAttribute(`paint`,new jc(new Uint8Array(t.buffer),4,!0)),r.setAttribute(`isCross`,new jc(n,1)),this.points.geometry=r,this.edition++}aim(e,t){this.points.material.uniforms.scale.value=e.scale,this.points.material.uniforms.pixels.value=t}dispose(){this.points.geometry.dispose(),this.points.material.dispose()}},om={corners:4,triangles:[0,1,2,0,2,3]},sm={corners:3,triangles:[0,1,2]},cm=6e4,lm={widest:.13,end:.4,gap:.02,halo:1.5,leastPixels:1.1,mostPixels:13,leastGapPixels:.4};function um(e,t,n){let r=e*Math.min(lm.widest*n,lm.mostPixels)*(1+(lm.end-1)*t),i=Math.max(r,lm.leastPixels),a=Math.min(lm.halo,Math.max(0,.3*(i-lm.leastPixels)));return{width:i,halo:a,gap:Math.max(lm.gap*n,a,lm.leastGapPixels)}}var dm={factor:1.6,leastPixels:2,stepPixels:.5};function fm({count:e,start:t},{elements:n,scale:r}){let{factor:i,leastPixels:a,stepPixels:o}=dm,s=new Uint8Array(e);for(let c=0;c<e;c++){let e=4*c,l=n[3]*t[e]+n[7]*t[e+1]+n[11]*t[e+2]+n[15],u=i*Math.min(lm.widest*r/l,lm.mostPixels),d=255*(a+o)/u;s[c]=l>0?Math.min(255,Math.ceil(d)-1):255}return s}var pm=1024,mm=`
uniform sampler2D words;
vec4 wordOf(int piece) {
    return texelFetch(words, ivec2(piece & 1023, piece >> ${Math.log2(pm)}), 0);
}`,[hm,gm,_m,vm,ym,bm,xm]=Object.values(lm).map(tm),[Sm,Cm,wm]=Object.values(dm).map(tm),Tm=`
precision highp float;
${mm}
uniform mat4 projection;
uniform vec2 area;
uniform float scale;
uniform float centered;
in vec4 start;
in vec4 finish;
out vec3 color;
#if CORNERS == 4
out vec2 edge;
#endif
const float nearest = 0.05;
void main() {
    int piece = gl_VertexID / CORNERS;
#ifdef NUMBERS
    color = vec3(piece & 255, (piece >> 8) & 255, piece >> 16) / 255.0;
    float share = 0.0;
#else
    vec4 word = wordOf(piece);
    color = word.rgb;
    float share = word.a;
#endif
    vec4 a = projection * vec4(start.xyz, 1.0);
    vec4 b = projection * vec4(finish.xyz, 1.0);
#if CORNERS == 3
    if (a.w < nearest || b.w < nearest) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
#else
    if (a.w < nearest && b.w < nearest) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (a.w < nearest) a = mix(a, b, (nearest - a.w) / (b.w - a.w));
    if (b.w < nearest) b = mix(b, a, (nearest - b.w) / (a.w - b.w));
#endif
    vec2 way = (b.xy / b.w - a.xy / a.w) * area;
    vec2 right = dot(way, way) < 1e-6 ? vec2(0.0) : normalize(vec2(way.y, -way.x));
    int corner = gl_VertexID - CORNERS * piece;
#if CORNERS == 3
    vec4 at = corner == 1 ? b : a;
    float unit = scale / at.w;
    float wanted = share * min(${hm} * unit, ${bm}) * ${Sm};
    float width = max(${wm} * floor(wanted / ${wm}), ${Cm});
    float offset = max(${_m} * unit, ${xm}) + (corner == 2 ? width : 0.0);
#else
    bool atStart = corner == 0 || corner == 3;
    vec4 at = atStart ? a : b;
    float along = atStart ? start.w : finish.w;
    float unit = scale / at.w;
    float width = max(share * min(${hm} * unit, ${bm}) * mix(1.0, ${gm}, along), ${ym});
    float halo = clamp(0.3 * (width - ${ym}), 0.0, ${vm});
    float gap = max(${_m} * unit, max(halo, ${xm}));
    float offset = mix(gap, -0.5 * width, centered) + (corner < 2 ? -halo : width + halo);
    edge = vec2(corner < 2 ? -1.0 : 1.0, width / (width + 2.0 * halo));
#endif
    at.xy += 2.0 * offset * right / area * at.w;
    gl_Position = at;
}`,Em=`
precision mediump float;
uniform vec3 ground;
in vec3 color;
#if CORNERS == 4
in vec2 edge;
#endif
out vec4 fragment;
void main() {
#if defined(NUMBERS)
    fragment = vec4(color, 0.5); // nodes, which have colors there, are opaque
#elif CORNERS == 3
    fragment = vec4(color, 1.0);
#else
    fragment = vec4(abs(edge.x) > edge.y ? ground : color, 1.0);
#endif
}`,Dm=class{mesh;pieces={count:0,start:new Float32Array,finish:new Float32Array,link:new Int32Array};words=new Uint32Array;edition=0;form=om;paint=new Uint32Array(pm);texture=Om(this.paint);index=new Uint32Array;constructor({isOnTop:e}){let t=new Jl({glslVersion:xo,vertexShader:Tm,fragmentShader:Em,defines:{CORNERS:om.corners},side:2,depthTest:!e,depthWrite:!e,uniforms:{projection:{value:new hs},area:{value:new Go},scale:{value:1},centered:{value:+!!e},ground:{value:new X},words:{value:this.texture}}});this.mesh=new gl(new Kc,t),this.mesh.frustumCulled=!1,this.mesh.renderOrder=e?2:0}get areWedges(){return this.form===sm}setPieces(e){let{count:t}=e,n=t<cm?om:sm;this.pieces=e,n!==this.form&&(this.mesh.material.needsUpdate=!0),this.mesh.material.defines={CORNERS:n.corners},this.form=n,this.mesh.geometry.dispose();let r=new Kc;r.setAttribute(`start`,new jc(km(e.start,t,n.corners),4)),r.setAttribute(`finish`,new jc(km(e.finish,t,n.corners),4)),this.index=new Uint32Array(n.triangles.length*t),r.setIndex(new jc(this.index,1).setUsage(bo)),r.setDrawRange(0,0),this.mesh.geometry=r,this.texture.dispose(),this.paint=new Uint32Array(pm*Math.max(1,Math.ceil(t/pm))),this.texture=Om(this.paint),this.mesh.material.uniforms.words.value=this.texture,this.edition++}setWords(e){this.words=e;let{pieces:t,paint:n}=this,r=!1;for(let i=0;i<t.count;i++){let a=e[t.link[i]];a===0!=(n[i]===0)&&(r=!0),n[i]=a}this.texture.needsUpdate=!0,r&&(this.chooseShown(),this.edition++)}chooseShown(){this.writeIndex(e=>e!==0)}chooseWiderThan(e){this.writeIndex((t,n)=>t>>>24>e[n])}writeIndex(e){let{pieces:t,paint:n,index:r}=this,{corners:i,triangles:a}=this.form,o=0;for(let s=0;s<t.count;s++){if(!e(n[s],s))continue;let t=i*s;for(let e=0;e<a.length;e++)r[o++]=t+a[e]}let s=this.mesh.geometry.getIndex();s.clearUpdateRanges(),s.addUpdateRange(0,o),s.needsUpdate=!0,this.mesh.geometry.setDrawRange(0,o)}tellNumbers(e){let{material:t}=this.mesh;t.defines={CORNERS:this.form.corners,...e?{NUMBERS:``}:{}},t.needsUpdate=!0}setGround([e,t,n]){this.mesh.material.uniforms.ground.value.set(e/255,t/255,n/255)}aim(e){let{uniforms:t}=this.mesh.material;t.projection.value.fromArray(e.elements),t.area.value.set(e.area.width,e.area.height),t.scale.value=e.scale}dispose(){this.texture.dispose(),this.mesh.geometry.dispose(),this.mesh.material.dispose()}};function Om(e){return new yl(new Uint8Array(e.buffer),pm,e.length/pm)}function km(e,t,n){let r=new Float32Array(4*n*t),i=0;for(let a=0;a<t;a++)for(let t=0;t<n;t++)for(let t=0;t<4;t++)r[i++]=e[4*a+t];return r}var Am={share:`%`,cycles:`cycles`,count:``};function jm(e,t){let{quantity:n,state:r,threshold:i}=e,a=Pm(e);return Di([Nm(e).join(` and `),e.isDifference?`second run minus first`:``,`${n.label}${Am[n.unit]&&` (${Am[n.unit]})`}`,Fm(e),a?`slice ${a.replaceAll(`:`,` `).replaceAll(`,`,`, `)}`:``,r.hide>0?`links below ${$r(i,n)} hidden`:``],t)}function Mm(e){let{quantity:t,isDifference:n,isOfTime:r}=e,i=r?e.time(e.series.start[e.state.time]):t.when;return[...Nm(e),n?`difference-of-${t.id}`:t.id,i,Pm(e).replaceAll(`:`,``)]}function Nm({runs:e,pictured:t,isDifference:n}){return n?e.map(({name:e})=>e):t.map(t=>e[t].name)}function Pm({state:e,run:t}){return p(e.slice,t.machine)}function Fm(e){let{series:t,state:n,run:r,quantity:i,isOfTime:a}=e;if(a)return`${e.time(t.start[n.time])} to ${e.time(t.end[n.time])}`;if(i.when!==`whole run`)return i.when;let{start_cycle:o,end_cycle:s}=r.facts.measured;return`whole run, ${e.time(o)} to ${e.time(s)}`}var Im=`font-family: system-ui, sans-serif; font-size: 12px`,Lm=48,Rm=2;async function zm(e,t){let{width:n,height:r}=Hm(t),i=Xm(e,t,[]),a=document.createElement(`canvas`),o=a.getContext(`2d`),s=1;t.drawFinely(Rm,t=>{s=t.width/n,[a.width,a.height]=[t.width,Math.round(s*i.height)],o.fillStyle=zi(Ii[e.theme].ground),o.fillRect(0,0,a.width,a.height),o.drawImage(t,0,0,t.width,s*r)});let c=await Bm(i.text);return o.drawImage(c,0,0,s*c.width,s*c.height),new Promise((e,t)=>a.toBlob(n=>n?e(n):t(Error(`no picture`)),`image/png`))}async function Bm(e){let t=new Image;return t.src=`data:image/svg+xml,${encodeURIComponent(e)}`,await t.decode(),t}function Vm(e,t){t.draw();let n=zi(Ii[e.theme].ground);return Xm(e,t,[`${`<style>.h{stroke:${n};stroke-width:1.6;paint-order:stroke}</style>`}<rect width="100%" height="100%" fill="${n}"/>`,...t.sceneries.map(({stage:e},n)=>Um(e,t.projections[n]))]).text}function Hm(e){return{width:e.element.clientWidth,height:e.element.clientHeight}}function Um(e,t){let n=[...Wm(e.links,t,!1),...Km(e,t)];n.sort((e,t)=>t.depth-e.depth);let r=Wm(e.marks,t,!0),{x:i,y:a,width:o,height:s}=t.area,c=`area-${Math.round(i)}`;return`${`<clipPath id="${c}"><rect x="${i}" y="${a}" width="${o}" height="${s}"/></clipPath>`}<g clip-path="url(#${c})">${[...n,...r].map(e=>e.text).join(``)}</g>`}function Wm({pieces:e,words:t},n,r){let i=[];for(let a=0;a<e.count;a++){let o=t[e.link[a]];if(o===0)continue;let[s,c]=[e.start,e.finish].map(e=>e.subarray(4*a,4*a+4)),l=n.project(s[0],s[1],s[2]),u=n.project(c[0],c[1],c[2]);if(!l||!u)continue;let d=Gm(l,u,[s[3],c[3]],(o>>>24)/255,n.scale,r);i.push({depth:(l[2]+u[2])/2,text:`<path class="h" fill="${Ym(o)}" d="M${d.join(`L`)}Z"/>`})}return i}function Gm(e,t,n,r,i,a){let o=Math.hypot(t[0]-e[0],t[1]-e[1])||1,[s,c]=[-(t[1]-e[1])/o,(t[0]-e[0])/o],l=[e,t].map((e,t)=>{let o=i/e[2],{width:l,gap:u}=um(r,n[t],o),d=a?-l/2:u;return[d,d+l].map(t=>`${(e[0]+s*t).toFixed(1)},${(e[1]+c*t).toFixed(1)}`)});return[l[0][0],l[1][0],l[1][1],l[0][1]]}function Km({layout:e,nodes:t},n){let r=[];for(let i=0;i<t.words.length;i++){let a=t.words[i];if(a===0)continue;let[o,s,c]=e.positions.subarray(3*i,3*i+3),l=n.project(o,s,c);if(!l)continue;let u=Math.max(nm.leastPixels,(a>>>24)/255*nm.largest*(n.scale/l[2]))/2;r.push({depth:l[2]-.55,text:t.isCross[i]?Jm(l,u,a):qm(l,u,a)})}return r}function qm([e,t],n,r){return`<circle cx="${e.toFixed(1)}" cy="${t.toFixed(1)}" r="${n.toFixed(1)}" fill="${Ym(r)}"/>`}function Jm([e,t],n,r){let i=Math.max(n,2.5);return`<path d="${`M${(e-i).toFixed(1)},${(t-i).toFixed(1)}l${2*i},${2*i}m${-2*i},0l${2*i},${-2*i}`}" stroke="${Ym(r)}" stroke-width="${(i/2).toFixed(1)}"/>`}function Ym(e){return zi([e&255,e>>>8&255,e>>>16&255])}function Xm(e,t,n){let{width:r,height:i}=Hm(t),a=jm(e,r),o=i+Lm+Oi(a),s=document.createElementNS(`http://www.w3.org/2000/svg`,`g`);for(let n of t.overlayParts())s.append(Qm(n,e));s.append(...ki(a,i+Lm,Zm(e)));let c=new XMLSerializer().serializeToString(s);return{text:`${`<svg xmlns="http://www.w3.org/2000/svg" width="${r}" height="${o}" viewBox="0 0 ${r} ${o}" style="${Im}">`}${n.join(``)}${c}${$m(e,i,r)}</svg>`,height:o}}function Zm({theme:e}){return e===`dark`?`#c9d1d9`:`#24292f`}function Qm(e,t){let n=Zm(t);return e.tagName===`text`?(e.setAttribute(`fill`,n),e.setAttribute(`text-anchor`,`middle`)):(e.setAttribute(`stroke`,n),e.setAttribute(`fill`,`none`)),e}function $m(e,t,n){let{scale:r,quantity:i,theme:a}=e,o=Zm(e),s=r.isDifference?`differences`:`values`,c=Array.from({length:11},(e,t)=>`<stop offset="${t/10}" stop-color="${zi(Li(s,a,t/10))}"/>`),l=t+20,u=(e,t,n,r)=>`<text x="${e}" y="${t}" text-anchor="${n}" fill="${o}">${r}</text>`;return`<defs><linearGradient id="scale">${c.join(``)}</linearGradient></defs><rect x="16" y="${l}" width="240" height="10" fill="url(#scale)"/>${u(16,l-6,`start`,th(i.label))}${u(16,l+24,`start`,$r(r.low,i))}${u(256,l+24,`end`,$r(r.high,i))}${eh(e,t,n)}`}function eh(e,t,n){let r=Wi(e);if(!r)return``;let i=Zm(e),a=(e,t,n)=>`<text x="${e}" y="${t}" fill="${i}">${th(n)}</text>`,[o,s]=[288+Ei(r.text)+4,t+14],c=[a(288,s,r.text)];for(let{color:e,name:i}of r.items){let r=14+Ei(i)+12;if(o+r>n&&([o,s]=[288,s+16]),s>t+Lm)break;c.push(`<circle cx="${o+5}" cy="${s-4}" r="5" fill="${zi(e)}"/>`,a(o+14,s,i)),o+=r}return c.join(``)}function th(e){return e.replace(/[&<>]/g,e=>({"&":`&amp;`,"<":`&lt;`,">":`&gt;`})[e])}function nh(e,t){let n=URL.createObjectURL(e),r=document.createElement(`a`);r.href=n,r.download=t,r.click(),setTimeout(()=>URL.revokeObjectURL(n),1e3)}function rh(t,{what:n,file:r,png:i,svg:a},s,c){return e(`span`,{class:`actions`},e(`span`,{class:`quiet`},`Save`),o(`PNG`,`Save ${n.png} as PNG`,async()=>nh(await i(),r(`png`))),o(`SVG`,`Save ${n.svg} as SVG`,()=>nh(new Blob([a()],{type:`image/svg+xml`}),r(`svg`))),s&&xi(s),o(`◐`,`Dark or light`,()=>t.toggleTheme()),o(`?`,`Keys and hints`,()=>c.showModal()),c)}function ih(e,t){let n=e=>{ah(e)||oh(e)||Object.hasOwn(t,e.key)&&(t[e.key](e),e.preventDefault())};return e.addEventListener(`keydown`,n),()=>e.removeEventListener(`keydown`,n)}function ah({key:e,ctrlKey:t,altKey:n,metaKey:r}){let i=/^[^\p{L}\p{N}\s]$/u.test(e);return r||(n?!i:t)}function oh({target:e,key:t}){let n=e;return n.closest(`input[type=text], select, dialog`)!==null||t===` `&&n.matches(`button, summary`)}function sh(e,t,n){let r=t===null?-1:e.indexOf(t);return r<0?e.at(n>0?0:-1):e[(r+n+e.length)%e.length]}function ch(t,n,r,i){return e(`dialog`,{"aria-label":`Keys and hints`},e(`h2`,{},t),...n.map(t=>e(`p`,{},t)),c(r,[`Key`,`What it does`],i.map(({key:e,what:t})=>[e,t])),e(`form`,{method:`dialog`},e(`button`,{title:`Close`},`Close`)))}function lh(e,t){return o(e.run.machine.nodeName(t),`Select node ${t}`,()=>e.select({node:t}),`link`)}function uh(e,t,n){return o(n,`Select this link`,()=>e.select({link:t}),`link`)}function dh(t,n,r,i){if(r===0)return e(`span`,{},`–`);let a=t.run.series.start[i];return o(`${Lr(r)} at ${Vr(a,t.run.facts.machine.cycle_seconds)}`,`Select the link, and move the slider to this time, ${t.timeWithCycles(a)}`,()=>fh(t,n,i),`link`)}function fh(e,t,n){let r=e.run.series,i=e.run===e.longest?n:e.series.rowAt((r.start[n]+r.end[n])/2);e.store.set({time:i,selection:{link:t}})}function ph(e){let t=e.map((e,t)=>t).filter(t=>e[t]>1),n=t.length>0?t:[0];return{inner:n.slice(0,3),outer:n.slice(3)}}function mh(e,t){return 2*e<t?2*e:2*(t-1-e)+1}function hh(e,t){let{shape:n,wrap:r}=e.facts,{inner:i,outer:a}=ph(n),o=e=>t.wraps===`folded`&&r[e]&&n[e]>2,s=n.map((e,n)=>{let r=t.explode?.dimension===n?1+t.explode.gap:1;return Array.from({length:e},(t,i)=>r*(o(n)?mh(i,e):i))}),c=gh(n,i,a,s,t.slice),l=new Float32Array(3*e.nodes),u=new Uint8Array(e.nodes),d=[1/0,1/0,1/0],f=[-1/0,-1/0,-1/0];for(let n=0;n<e.nodes;n++){u[n]=+!!_h(e,n,t.slice),i.forEach((t,r)=>{l[3*n+r]+=s[t][e.coordinate(n,t)]}),a.forEach((t,r)=>{l[3*n+c[r].axis]+=c[r].of[e.coordinate(n,t)]});for(let e=0;u[n]&&e<3;e++)d[e]=Math.min(d[e],l[3*n+e]),f[e]=Math.max(f[e],l[3*n+e])}return{positions:l,shown:u,isEmpty:!u.includes(1),inner:i,outer:a,isFolded:o,low:d,high:f}}function gh(e,t,n,r,i){let a=[0,1,2].map(e=>e<t.length?Math.max(...r[t[e]]):0),o=a.map(e=>Math.max(2.2,.6*e)),s=[0,2,0];return n.map((t,n)=>{let r=s[n],c=a[r]+o[r]*(n<2?1:2),[l,u]=i[t]??[0,e[t]-1];return a[r]+=c*(u-l),{axis:r,of:Array.from({length:e[t]},(e,t)=>(t-l)*c)}})}function _h(e,t,n){return n.every((n,r)=>{if(!n)return!0;let i=e.coordinate(t,r);return n[0]<=i&&i<=n[1]})}function vh(e,t){let{positions:n}=e;return[n[3*t],n[3*t+1],n[3*t+2]]}function yh({run:e,state:t},n){return _h(e.machine,e.machine.source[n],t.slice)}function bh({state:e}){return e.slice.some(e=>e!==null)}function xh(t,n){let{run:r,state:i,store:a}=t,s=n.filter(e=>!_h(r.machine,e,i.slice));return s.length===0?null:e(`p`,{class:`outside`},s.length<n.length?`Partly outside the slice. `:`Outside the slice. `,o(`Show all`,`End the slice`,()=>a.set({slice:i.slice.map(()=>null)}),`small`))}var Sh=6,Ch=40;function wh(t){let r={by:`run`,length:Sh},i=e(`div`,{}),c=a(`Order`,`By what the list is sorted`,[],e=>{r.by=e,l()}),l=()=>{let e=Oh(t,r.by,r.length),a=e.querySelectorAll(`tbody tr`).length;n(i,a>0?s(e):e,a>=Sh&&u(),Dh(t))},u=()=>o(r.length===Sh?`Show more`:`Show fewer`,`A longer list`,()=>{r.length=r.length===Sh?Ch:Sh,l()},`link`),d=e(`h2`,{},``);return{element:e(`section`,{"aria-label":`Hottest links`},d,c.element,i),update:()=>{let e=!t.isDifference&&t.quantity.overTime&&t.run.linkSeries!==null,i=[{value:`run`,text:`over the whole run`}];e&&i.push({value:`now`,text:`at the slider's time`},{value:`peak`,text:`at its own peak`}),c.setOptions(i),c.element.hidden=!e,e||(r.by=`run`),c.select.value=r.by,n(d,Th(t)),l()}}}function Th(e){let{isDifference:t,runs:n,state:r,quantity:i}=e,a=bh(e)?` in the slice`:``;if(t)return`Largest differences${a}`;let o=n.length>1?` of the ${[`first`,`second`][r.run]} run`:``;return`${Zr(i)}${o}${a}`}function Eh(e){return t=>!e.run.isDead(t)&&yh(e,t)}function Dh(t){let{quantity:n,run:r}=t;return!n.overTime||r.facts.series!==`planes`?null:e(`p`,{class:`hint`},`Over time, this run has the means of planes only, not of each link.`)}function Oh(t,n,r){let{run:i,quantity:a}=t,o=t.isDifference?Ah(t):kh(t),s=o.find(e=>e.order===n)??o[0],l=t.isDifference?Qr:$r,u=t.isDifference?s.values.map(Math.abs):s.values,d=Eh(t),f=jh(u,r,e=>u[e]>0&&d(e));if(f.length===0)return e(`p`,{class:`hint`},bh(t)?`All in the slice are 0.`:`All are 0.`);let p=({values:e,peakRow:n},r)=>n?dh(t,r,e[r],n[r]):l(e[r],a),m=e=>uh(t,e,i.machine.linkName(e)),h=c(``,[`Link`,...o.map(({head:e})=>e)],f.map(e=>[m(e),...o.map(t=>p(t,e))]),`hot`),{selection:g}=t.state,_=g&&`link`in g?f.indexOf(g.link):-1;return h.tBodies[0].rows[_]?.classList.add(`selected`),h}function kh(e){let{run:t,quantity:n}=e,{linkSeries:r}=t;if(!n.overTime||!r)return[{head:n.label,order:`run`,values:n.whole}];let i=[{head:`Run`,order:`run`,values:n.whole}];if(e.state.time!==null){let r=new Float64Array(t.machine.links);t.fill(r,n,e.momentOf(t)),i.push({head:`Now`,order:`now`,values:r})}let{value:a,row:o}=r.peaks();return[...i,{head:`Peak`,order:`peak`,values:a,peakRow:o}]}function Ah(e){let t=new Float64Array(e.run.machine.links);return e.fill(t,0),[{head:`Second minus first`,order:`now`,values:t}]}function jh(e,t,n){let r=[];for(let i=0;i<e.length;i++){if(r.length===t&&!(e[i]>e[r[t-1]])||!n(i))continue;let a=r.length;for(;a>0&&e[r[a-1]]<e[i];)a--;r.splice(a,0,i),r.length>t&&r.pop()}return r}var Mh=30,Nh=Math.tan(Mh*Math.PI/360);function Ph(e){let[t,n]=e?[-Math.PI/2,Math.PI/2]:[-Math.PI/2+.55,.42];return{yaw:t,pitch:n,zoom:1,shift:[0,0,0]}}function Fh({yaw:e,pitch:t}){let[n,r,i,a]=[Math.cos(e),Math.sin(e),Math.cos(t),Math.sin(t)];return{right:[-r,n,0],up:[-a*n,-a*r,i],back:[i*n,i*r,a]}}var Ih=(e,t)=>e[0]*t[0]+e[1]*t[1]+e[2]*t[2],Lh={x:44,y:30};function Rh(e,t,{width:n,height:r}){let i=Nh*Math.max(.3,1-2*Lh.y/r),a=n/r*Nh*Math.max(.3,1-2*Lh.x/n),{right:o,up:s,back:c}=Fh(t),l=[0,1,2].map(t=>(e.high[t]-e.low[t])/2+.5),u=1;for(let e=0;e<8;e++){let t=l.map((t,n)=>e&1<<n?t:-t),n=Math.max(Math.abs(Ih(t,s))/i,Math.abs(Ih(t,o))/a);u=Math.max(u,n+Ih(t,c))}return u}var zh=class{camera=new wu(Mh,1,.1,1e3);home;box={low:[0,0,0],high:[1,1,1]};constructor(e){this.home=e,this.camera.matrixAutoUpdate=!1}show(e){this.box=e}place(e,t){let{camera:n,box:r}=this,i=t.width/Math.max(1,t.height),{right:a,up:o,back:s}=Fh(e),c=Rh(r,this.home,t),l=c*e.zoom,u=[0,1,2].map(t=>(r.low[t]+r.high[t])/2+e.shift[t]*c+s[t]*l);n.matrixWorld.set(a[0],o[0],s[0],u[0],a[1],o[1],s[1],u[1],a[2],o[2],s[2],u[2],0,0,0,1),n.matrixWorldInverse.copy(n.matrixWorld).invert();let d=Math.hypot(...[0,1,2].map(e=>r.high[e]-r.low[e]))+4;return n.aspect=i,n.near=Math.max(.05,l-2*d),n.far=l+2*d+10,n.updateProjectionMatrix(),new Bh(new hs().multiplyMatrices(n.projectionMatrix,n.matrixWorldInverse).elements,t)}static pan(e,t,n,r){let{right:i,up:a}=Fh(e),o=2*Nh*e.zoom/r,s=e.shift.map((e,r)=>e-i[r]*t*o+a[r]*n*o);return{...e,shift:s}}static turn(e,t,n){let r=Math.min(Math.PI/2,Math.max(-Math.PI/2,e.pitch+n*.006));return{...e,yaw:e.yaw-t*.006,pitch:r}}static zoom(e,t){return{...e,zoom:Math.min(4,Math.max(.02,e.zoom*t))}}},Bh=class{area;elements;scale;constructor(e,t){this.elements=e,this.area=t,this.scale=t.height/2/Nh}project(e,t,n){let r=this.elements,i=r[3]*e+r[7]*t+r[11]*n+r[15];if(i<.05)return null;let a=(r[0]*e+r[4]*t+r[8]*n+r[12])/i,o=(r[1]*e+r[5]*t+r[9]*n+r[13])/i,{area:s}=this;return[s.x+(a+1)/2*s.width,s.y+(1-o)/2*s.height,i]}},Vh=[{key:`arrows`,what:`turn`},{key:`shift + arrows`,what:`move`},{key:`+ and -`,what:`zoom`},{key:`Home`,what:`back to the first camera`},{key:`, and .`,what:`one row of time back, on`},{key:`space`,what:`play, pause`},{key:`0`,what:`the whole run`},{key:`n and p`,what:`the next, the previous of the hottest links`},{key:`1 to 9`,what:`from the selected node or link, to the neighbor in the first, second … direction`},{key:`Escape`,what:`clear selection and route`}],Hh={ArrowLeft:[-25,0],ArrowRight:[25,0],ArrowUp:[0,-25],ArrowDown:[0,25]};function Uh(e,t,n,r){let{store:i}=t,a=e=>i.set({camera:e}),o=({key:e,shiftKey:n})=>{let[r,i]=Hh[e],{camera:o}=t.state;a(n?zh.pan(o,-r,-i,600):zh.turn(o,r,i))},s=e=>()=>a(zh.zoom(t.state.camera,e)),c=Array.from({length:9},(e,n)=>[String(n+1),()=>Gh(t,n)]);return e.setAttribute(`aria-label`,`The torus. Keys: ${Vh.map(({key:e,what:t})=>`${e}: ${t}`).join(`; `)}.`),ih(e,{...Object.fromEntries([...Object.keys(Hh).map(e=>[e,o]),...c]),"+":s(.85),"=":s(.85),"-":s(1/.85),Home:()=>a(r.camera),",":()=>n?.step(-1),".":()=>n?.step(1)," ":()=>n?.togglePlay(),0:()=>i.set({time:null}),n:()=>Wh(t,1),p:()=>Wh(t,-1),Escape:()=>i.set({selection:null,route:null})})}function Wh(e,t){let{selection:n}=e.state,r=sh(jh(e.quantity.whole,40,Eh(e)),n&&`link`in n?n.link:null,t);r!==void 0&&e.select({link:r})}function Gh(e,t){let{selection:n}=e.state,{machine:r}=e.run,i=n&&`node`in n?n.node:null,a=i===null?null:r.linkFrom(i,t);n?`link`in n?e.select({node:r.target[n.link]}):a!==null&&e.select({link:a}):e.select({node:0})}var Kh=[`Drag to turn, drag with shift or the right button to move, scroll to zoom. Point at a link for its number, click it for all that is known of it.`,`“Hottest links” at the right names where it is busiest and when. A flow in the answer shows the ways of its pair. The page’s address keeps what you see: time, slice, camera and what is asked. “Copy link” copies it, to share the view or to come back.`];function qh(){return ch(`How to look at a torus`,Kh,`Keys, when the picture has the focus`,Vh)}function Jh(t){let r=new Map,i=e(`div`,{});return{element:e(`section`,{"aria-label":`By dimension`},e(`h2`,{},`By dimension`),i),update:e=>{(e.has(`run`)||e.has(`data`))&&n(i,...S(r,t.run,()=>Yh(t.run)))}}}function Yh(t){let n=$h(t);return[Xh(t),...n?[e(`p`,{class:`hint`},n)]:[]]}function Xh(e){let{facts:t}=e.machine,n=e.quantity(`utilization`).whole,r=e.measuredCycles>0?e.quantities.find(({id:e})=>e===`stalled_cycles`)?.whole:null,i=t.dimensions.flatMap((t,i)=>{let[a,o]=[Zh(e,2*i),Zh(e,2*i+1)],s=[...a,...o];if(s.length===0)return[];let c=s.reduce((e,t)=>Math.max(e,n[t]),0),l=[Qh(n,s),Qh(n,a),Qh(n,o),c];return r&&l.push(Qh(r,s)/e.measuredCycles),[[t,...l.map(e=>Number.isNaN(e)?`–`:Lr(e))]]});return c(`Utilization of links over the whole run: mean, in each direction, largest`,[``,`Mean`,`+`,`−`,`Largest`,...r?[`Stalled`]:[]],i,`hot numbers`)}function Zh({machine:e,deadLinks:t},n){let r=[];return e.direction.forEach((e,i)=>{e===n&&!t.has(i)&&r.push(i)}),r}function Qh(e,t){return t.reduce((t,n)=>t+e[n],0)/t.length}function $h({summary:e}){let{percent_of_peak:t,percent_of_peak_kind:n}=e;if(typeof t!=`number`)return``;let r=typeof n==`string`?`the bound set by the ${n}`:`the bound of its traffic`;return`${t.toFixed(1)} % of peak: of ${r}. At 100 % the links that set it would never be idle.`}function eg(t,n,r,i){let{runs:a}=t,o=a.map(tg);return e(`header`,{},e(`h1`,{title:n.title},a.map(({name:e})=>e).join(` and `)),e(`p`,{class:`quiet`,title:a.map((e,t)=>`${o[t]}. ${$h(e)}`).join(`
`)},o.join(`  |  `)),rh(t,{what:{png:`the picture`,svg:`the picture`},file:e=>Ai(Mm(t),e),png:()=>zm(t,r),svg:()=>Vm(t,r)},i,qh()))}function tg(e){let{summary:t,machine:n}=e,r=[n.facts.shape.join(`x`),`${q(n.nodes)} nodes`];return typeof t.outcome==`string`&&r.push(t.outcome),typeof t.cycles==`number`&&r.push(`${q(t.cycles)} cycles`),typeof t.percent_of_peak==`number`&&r.push(`${t.percent_of_peak.toFixed(1)} % of peak`),r.join(` · `)}var ng=/$^/,rg=[{of:/^percent_/,word:ng,name:``,text:e=>`${e.toFixed(1)} %`},{of:/_percent$/,word:/_percent$/,name:``,text:e=>`${e.toFixed(1)} %`},{of:/megabytes_per_second/,word:/_megabytes_per_second/,name:``,text:e=>`${q(e)} MB/s`},{of:/gigabytes_per_second/,word:/_gigabytes_per_second/,name:``,text:e=>`${q(e)} GB/s`},{of:/_per_second$/,word:ng,name:``,text:Ir},{of:/_per_(node|processor|cycle)/,word:ng,name:``,text:q},{of:/(^|_)seconds(_|$)/,word:/seconds/,name:`time`,text:e=>zr(e)},{of:/_ns(_|$)/,word:/_ns/,name:``,text:e=>zr(e*1e-9)},{of:/_processor_cycles/,word:/_processor_cycles/,name:``,text:e=>`${q(e)} processor cycles`},{of:/_cycles(_|$)/,word:/_cycles/,name:``,text:e=>`${q(e)} cycles`},{of:/_bytes$/,word:/_bytes$/,name:``,text:Hr},{of:/share|utilization/,word:ng,name:``,text:Lr},{of:/^/,word:ng,name:``,text:q}],ig={percent_of_peak_kind:`Peak is set by`};function ag(e,t){if(typeof t==`string`)return[ig[e]??og(e),t];let{word:n,name:r,text:i}=rg.find(({of:t})=>t.test(e));return[og(e.replace(n,r)),i(t)]}function og(e){let t=e.replaceAll(`_`,` `).replace(/ (mean|median)$/,`, $1`).replace(/ max$/,`, largest`).replace(/ min$/,`, least`).replace(/ p(\d+)$/,`, $1th percentile`);return t[0].toUpperCase()+t.slice(1)}function sg(t){let n=t.runs.map(({name:e,summary:t})=>s(c(e,[``,``],cg(t),`facts`)));return{element:e(`details`,{},e(`summary`,{},t.runs.length>1?`About these runs`:`About this run`),...n),update:()=>{}}}function cg(e){return Object.entries(e).flatMap(([e,t])=>{if(typeof t!=`number`&&typeof t!=`string`)return[];let[n,r]=ag(e,t);return[[n,typeof t==`number`?lg(r):r]]})}function lg(t){let[,n,r]=t.match(/^([^.\s]*)(.*)$/);return e(`span`,{class:`aligned`},e(`span`,{class:`whole`},n),r)}var ug=50;function dg(e,t,n){let r=e.waiting?.filter(t)??[];if(r.length===0)return null;let{machine:i,facts:a}=e;return s(c(n,[`Sits in`,`VC`,`Waits for`,`Goes to`,`Tokens`],r.slice(0,ug).map(e=>[`${i.nodeName(e.node)} from ${e.receiver}`,a.machine.vcs[e.vc]??String(e.vc),e.toward,i.nodeName(e.target),`${q(e.tokens)} of ${q(e.needed)}`])))}function fg(t,n){let{run:r}=t,{machine:i}=r,a=e(`p`,{},i.isWrap[n]?`Wrap from `:`From `,lh(t,i.source[n]),` to `,lh(t,i.target[n]),r.isDead(n)?e(`b`,{class:`dead`},` dead`):``);return r.isDead(n)?[a,xh(t,[i.source[n]])]:[a,xh(t,[i.source[n]]),pg(t,n),mg(t,n),yg(t,n),vg(r,n),dg(r,e=>e.link===n,`Head packets that wait for it at the end`)]}function pg(t,n){let{run:r}=t;if(!r.linkSeries||!r.series)return null;let i=r.linkSeries.peaks(),[a,o]=[i.value[n],i.row[n]];if(a===0)return r.quantity(`utilization`).whole[n]>0?null:e(`p`,{},`Nothing crosses it.`);let s=Array.from(r.linkSeries.overTime(n),e=>e>=.9*a),c=s.indexOf(!0),l=c<o?`, first at ${t.time(r.series.start[c])}`:``,u=` Nearly as busy (${Lr(.9*a)} or more) in ${Lr(r.series.shareOf(s))} of the run${l}.`;return e(`p`,{},r.facts.series===`planes`?`Busiest, as the mean of its plane: `:`Busiest: `,dh(t,n,a,o),`.${u} Its curve is below the picture.`)}function mg(t,n){let{run:r,runs:i,isSameMachine:a}=t,o=a?i:[r],s=(t,n,r)=>[e(`span`,{title:n},t),...o.map(e=>r(e)??`–`)],l=r.quantities.filter(({id:e})=>!e.startsWith(`packets_`)).flatMap(({id:e,label:t,hint:r,unit:i})=>{let a=s(t,r,t=>hg(t,e,n));return i===`cycles`?[a,s(`${t} as a share`,`Of the measured time`,t=>gg(t,e,n))]:[a]});return t.state.time!==null&&r.linkSeries&&l.unshift(s(`Utilization at this time`,`In the slider's interval`,e=>_g(t,e,n))),c(`Over the whole run, unless said otherwise`,o.length>1?[``,`First run`,`Second run`]:[``,``],l,`facts`)}function hg(e,t,n){let r=e.quantities.find(e=>e.id===t);return r?$r(e.value(n,r,null),r):null}function gg(e,t,n){let r=e.quantities.find(e=>e.id===t);return r&&e.measuredCycles>0?Lr(e.value(n,r,null)/e.measuredCycles):null}function _g(e,t,n){let r=t.quantity(`utilization`);return t.linkSeries?$r(t.value(n,r,e.momentOf(t)),r):null}function vg(t,n){let r=t.quantities.filter(({id:e})=>e.startsWith(`packets_`)),i=r.reduce((e,{whole:t})=>e+t[n],0);return i===0?null:c(`Packets by virtual channel`,[`VC`,`Packets`,`Share`],r.map(({id:t,whole:r})=>[t.replace(`packets_`,``),q(r[n]),e(`span`,{class:`share`,style:`--share: ${r[n]/i}`},Lr(r[n]/i))]))}function yg(t,n){let{run:r}=t,{flows:i}=r.facts;if(i.unit===null)return i.note?e(`p`,{class:`hint`},`Flows: ${i.note}`):null;let a=r.flowsOf(n);if(!a)return e(`p`,{class:`hint`},`The flows across this link are not listed: it is not among the busiest.`);let s=i.amount===`bytes`,l=s?Hr:Lr,u=a.listed.map(e=>[o(`${xg(r,e.source,e.sourceNode)} → ${xg(r,e.target,e.targetNode)}`,`Show the routes of this pair`,()=>t.store.set({route:{source:e.sourceNode,target:e.targetNode}}),`link`),l(e.amount),...s?[Lr(e.amount/a.total)]:[]]),d=[`From → to`,...s?[`Bytes`]:[],`Share`],f=s?`Shares are of the link's expected bytes, ${Hr(a.total)} in all. `:``;return e(`div`,{},c(bg(r,a.flows,a.listed.length),d,u),e(`p`,{class:`hint`},f+i.note))}function bg(e,t,n){let{unit:r,routing:i,amount:a}=e.facts.flows,o=a===`bytes`?`in expected bytes`:`by their share of the link's expected traffic`;return`${t===1?`1 pair of ${r}`:`${q(t)} pairs of ${r}`} can use it${n<t?`; the largest`:``}, ${o}, ${i??`as the machine routes`}`}function xg(e,t,n){let r=e.machine.nodeName(n);return e.facts.flows.unit===`ranks`?`${t} at ${r}`:r}function Sg(t,n){let{run:r,quantity:i}=t,{machine:a}=r,s=a.deadNodes.has(n),l=[[`Coordinates`,a.nodeName(n)]];r.nodes&&(l.push([`Packets injected`,q(r.nodes.injected[n])]),l.push([`Packets delivered`,q(r.nodes.delivered[n])]));let u=a.linksFrom(n).map(e=>[uh(t,e,a.directionName(a.direction[e])),lh(t,a.target[e]),$r(r.value(e,i,t.momentOf(r)),i)]);return[s?e(`p`,{class:`dead`},`This node is dead.`):null,xh(t,[n]),c(``,[``,``],l,`facts`),wg(r,n),c(`Links that leave it`,[`Link`,`To`,`${i.label}${t.isOfTime?` at this time`:``}`],u),e(`p`,{},o(`Route from here`,`As the first node of a route`,()=>Cg(t,`source`,n)),` `,o(`Route to here`,`As the last node of a route`,()=>Cg(t,`target`,n))),dg(r,e=>e.node===n,`Head packets that wait here at the end`)]}function Cg(e,t,n){let r=e.state.route??{source:n,target:n};e.store.set({route:{...r,[t]:n}})}function wg(e,t){let{ranks:n}=e,r=n?.on.get(t);return!n||!r?null:c(`Ranks on it`,[`Rank`,`Core`,n.areOfOneProgram?`Group`:`Job`],r.map(e=>[n.rank[e],n.core[e],n.groupName(n.group[e])]))}function Tg(t){let r=e(`input`,{type:`text`,"aria-label":`Node or link`,spellcheck:`false`}),i=e(`p`,{class:`problem`,role:`alert`}),a=e(`form`,{class:`ask`},r,e(`button`,{type:`submit`,title:`Show this node or link`},`Ask`));a.addEventListener(`submit`,e=>{e.preventDefault();let a=t.run.parse(r.value);t.select(`problem`in a?null:a),n(i,`problem`in a?a.problem:``)}),r.addEventListener(`input`,()=>n(i)),r.addEventListener(`keydown`,({key:e})=>e===`Escape`&&t.select(null));let o=e(`div`,{}),s=e(`p`,{class:`unseen`,role:`status`});return{element:e(`section`,{"aria-label":`Ask a node or a link`},e(`h2`,{},`Ask a node or link`),a,i,s,o),update:()=>{let{machine:e,ranks:a}=t.run;r.placeholder=`12 or ${e.example}${a?` or ${a.example}`:``}`,n(o,...Dg(t)),n(i);let c=Eg(t);s.textContent!==c&&(s.textContent=c)}}}function Eg(e){let{selection:t}=e.state;return t?`link`in t?e.run.machine.linkName(t.link):`Node ${t.node}`:``}function Dg(t){let{selection:n}=t.state;return n?[e(`h3`,{},Eg(t),o(`✕`,`Clear the selection`,()=>t.select(null),`small close`)),...`link`in n?fg(t,n.link):Sg(t,n.node)]:[e(`p`,{class:`hint`},`Click on one in the picture or in a list, or type its name.`)]}function Og(e,t,n){if(!t.vectors)return null;let{wrap:r}=e.facts,i=r.map((t,r)=>t?0:e.coordinate(n.target,r)-e.coordinate(n.source,r)),a=jg(e,n);return a===null?null:(t.vectors[a]??[]).map(({hops:e,share:t})=>({hops:e.map((e,t)=>r[t]?e:i[t]),share:t}))}function kg(e,t,n){let r=t.detours.find(({source:e,target:t})=>e===n.source&&t===n.target);if(r){let e=e=>{let t=[n.source,...e.map(({to:e})=>e)];return e.map(({hops:e},n)=>({source:t[n],hops:e}))};return r.ways.map(t=>({parts:e(t),share:1/r.ways.length}))}return(Og(e,t,n)??[]).map(({hops:e,share:t})=>({parts:[{source:n.source,hops:e}],share:t}))}function Ag(e,t){let n=n=>t.parts.flatMap(({source:t,hops:r})=>n(e,t,r));return{any:n(Fg),inOrder:n(Pg)}}function jg(e,t){let{wrap:n}=e.facts,r=t.target;for(let i=0;i<e.dimensions&&r!==null;i++){let a=n[i]?e.coordinate(t.source,i):0;r=Mg(e,r,2*i+1,a)}return r===null?null:e.nodeAt(e.coordinates(r).map((e,t)=>n[t]?e:0))}function Mg(e,t,n,r){let i=t;for(let t=0;t<r&&i!==null;t++)i=e.neighbor(i,n);return i}function Ng(e,t){return 2*e+ +(t<0)}function Pg(e,t,n){let r=[],i=t;for(let t=0;t<n.length;t++)for(let a=0;a<Math.abs(n[t]);a++){let a=e.linkFrom(i,Ng(t,n[t]));if(a===null)return r;r.push(a),i=e.target[a]}return r}function Fg(e,t,n){let r=n.map(e=>Math.abs(e)+1),i=r.map((e,t)=>r.slice(0,t).reduce((e,t)=>e*t,1)),a=r.reduce((e,t)=>e*t,1),o=[t],s=[];for(let t=0;t<a;t++){let a=r.map((e,n)=>Math.floor(t/i[n])%e),c=a.findIndex(e=>e>0);if(c>=0){let r=o[t-i[c]];o[t]=r===null?null:e.neighbor(r,Ng(c,n[c]))}let l=o[t];if(l!==null)for(let t=0;t<n.length;t++){let i=a[t]<r[t]-1?e.linkFrom(l,Ng(t,n[t])):null;i!==null&&s.push(i)}}return s}function Ig(e,t){let n=t.map((t,n)=>t===0?``:`${Math.abs(t)} ${e.facts.dimensions[n]}${t<0?`-`:`+`}`).filter(e=>e);return n.length>0?n.join(`, `):`none: the same node`}var Lg=2e3;function Rg(e,t){let{state:n,theme:r}=e,i=e.runs[t],a=n.run===t||e.isSameMachine;return[...Vg(e,i,r),...n.route&&a?Hg(i,n.route,r):[],...n.ring?Ug(i,r):[],...n.selection&&`link`in n.selection&&a?[{link:n.selection.link,color:Ii[r].select,width:1}]:[]]}function zg(e){let{state:t,run:n}=e;return t.route!==null&&n.facts.routes!==null||t.ring&&n.facts.deadlock!==null||t.messages!==`none`}function Bg(e,t){let{messages:n}=t,{state:r}=e;if(!n||r.messages===`none`)return[];let i=Array.from(n.sent.keys());if(r.messages!==`now`)return i.filter(e=>n.call[e]===r.messages);let a=e.momentOf(t);if(typeof a!=`number`||!t.series)return[];let[o,s]=[t.series.start[a],t.series.end[a]];return i.filter(e=>n.sent[e]<s&&n.arrived[e]>=o)}function Vg(e,t,n){let{messages:r,ranks:i}=t;return!r||!i?[]:Bg(e,t).slice(0,Lg).map(e=>[r.source[e],r.target[e]]).map(([t,r])=>({from:i.node[t],to:i.node[r],color:e.state.nodes===`group`?Ri(i.group[t]):Ii[n].message,width:.3})).filter(({from:e,to:t})=>e!==t)}function Hg(e,t,n){let{machine:r,facts:i}=e;if(!i.routes)return[];let a=kg(r,i.routes,t),o=i.routes.order===`adaptive`;return a.flatMap((t,i)=>{let{any:s,inOrder:c}=Ag(r,t),l=a.length>1?Ri(i):Ii[n].route;return[...(o?s.filter(t=>!e.deadLinks.has(t)):[]).map(e=>({link:e,color:l,width:.55})),...c.map(e=>({link:e,color:o?Ii[n].escape:l,width:o?.3:.7}))]})}function Ug(e,t){let{machine:n,facts:r}=e;return(r.deadlock?.ring??[]).flatMap(({node:e,toward:r})=>{let i=n.linkFrom(e,n.directionOf(r));return i===null?[]:[{link:i,color:Ii[t].ring,width:1}]})}function Wg(t){let r=e(`div`,{class:`legend`});return{element:r,update:()=>n(r,...Gg(t))}}function Gg(t){let{quantity:n,scale:r,runs:i}=t,a=r.isDifference?`${n.label}: second run minus first`:n.label,o=t.isOfTime?`at the slider's time`:n.when,s={share:`%`,cycles:`cycles`,count:``}[n.unit],c=i.some(e=>e.deadLinks.size>0||e.machine.deadNodes.size>0);return[e(`div`,{class:`legend-title`},e(`b`,{},a),s&&` (${s})`,e(`span`,{class:`quiet when`},o)),e(`div`,{class:`bar`,style:`background: ${qg(t)}`}),e(`div`,{class:`ticks`},...Kg(t).map(t=>e(`span`,{},t))),e(`div`,{class:`quiet`},`Wider is more. Each direction has its own line, wide where it begins.`),c?e(`div`,{},e(`span`,{class:`dead-key`,style:`--dead: ${zi(Ii[t.theme].dead)}`}),` dead link, ✕ dead node`):null,Jg(t)]}function Kg({quantity:e,scale:t}){let n=e.unit===`share`,r=n?4:Gr(t.high),i=t.isDifference&&r!==4?2:r;return Array.from({length:i+1},(e,n)=>t.low+n/i*(t.high-t.low)).map(e=>n?q(Math.round(1e3*e)/10):Ur(e,t.high))}function qg(e){let t=e.scale.isDifference?`differences`:`values`;return`linear-gradient(to right, ${Array.from({length:11},(n,r)=>zi(Li(t,e.theme,r/10))).join(`, `)})`}function Jg(t){let n=Wi(t);return n?e(`div`,{class:`node-key`},n.text,...n.items.map(({color:t,name:n})=>e(`span`,{class:`item`},e(`i`,{style:`background: ${zi(t)}`}),` ${n}`))):null}function Yg(t){let n=[Qg(t),$g(t),t_(t),n_(t),i_(t)].filter(e=>e!==null),r=e(`form`,{class:`controls`,"aria-label":`What is shown`},...n.map(e=>e.element));return r.addEventListener(`submit`,e=>e.preventDefault()),{element:r,update:Xg(n)}}function Xg(e){return t=>{for(let n of e)n.update(t)}}function Zg(t,...n){return e(`fieldset`,{},e(`legend`,{},t),...n)}function Qg(e){let{runs:t,store:n}=e;if(t.length<2)return null;let r=a(`Runs`,`Which of the two runs is drawn`,bi(t),t=>{let r=t;r===`both`?n.set({compare:r}):n.set({compare:r,...e.toRun(+(r===`second`))})}),i=a(`Lists and answers of`,`Which run the right side is about`,[{value:`0`,text:`the first run`},{value:`1`,text:`the second run`}],t=>n.set(e.toRun(Number(t))));return{element:Zg(`Compare`,r.element,i.element),update:()=>{r.select.value=e.state.compare,i.select.value=String(e.state.run),i.element.hidden=e.state.compare!==`both`}}}function $g(t){let{store:r}=t,i=a(`Color by`,`What gives links their color and width`,t.quantities.map(({id:e,label:t})=>({value:e,text:t})),e=>r.set({quantity:e})),o=e(`p`,{class:`hint`}),s=a(`Scale`,`Where the colors end; the same for all times`,[{value:`largest`,text:`0 to the largest value`},{value:`full`,text:`0 to 100 %`}],e=>r.set({scale:e})),c=e(`input`,{type:`range`,min:0,max:1,step:.01,"aria-label":`Hide links below this share of the scale`,oninput:()=>r.set({hide:Number(c.value)})}),l=e(`output`,{}),u=e(`label`,{class:`field`,title:`Links with less are not drawn`},e(`span`,{},`Hide below `,l),c),d=Wg(t);return{element:Zg(`Links`,i.element,o,d.element,s.element,u),update:e=>{let{state:r}=t;d.update(e),i.select.value=t.quantity.id,n(o,`${t.quantity.hint}.`,e_(t)&&` Known for the whole run only.`),s.select.value=r.scale,s.element.hidden=!t.hasScaleChoice,c.value=String(r.hide),n(l,r.hide>0?$r(t.threshold,t.quantity):`nothing`)}}}function e_({quantity:e,series:t}){return t!==null&&!e.overTime&&e.when===`whole run`}function t_(t){let{store:n,run:r}=t,{shape:i,dimensions:o,wrap:s}=r.machine.facts,{inner:c,outer:l}=ph(i),u=[{value:`arcs`,text:`as arcs`},{value:`stubs`,text:`as short ends`},{value:`folded`,text:`folded, as cabled`},{value:`hidden`,text:`hidden`}],d=a(`Wraps`,`Links that close the rings. Folded: nodes in the order in which racks are cabled, no cable is long`,u,e=>n.set({wraps:e})),f=u.filter(({value:e})=>e!==`folded`).map(e=>e.value===`arcs`?{...e,text:`in full`}:e),p=a(`Links between blocks`,`Links in ${l.map(e=>o[e]).join(`, `)}`,f,e=>n.set({outer:e})),m=a(`Pull apart`,`More room between the planes of a dimension`,[{value:``,text:`nothing`},...c.map(e=>({value:String(e),text:`planes of ${o[e]}`}))],e=>n.set({explode:e===``?null:{dimension:Number(e),gap:t.state.explode?.gap??2}})),h=e(`input`,{type:`range`,min:.5,max:8,step:.5,"aria-label":`How far apart`,oninput:()=>n.set({explode:{dimension:t.state.explode.dimension,gap:Number(h.value)}})});return{element:Zg(`Shape`,s.some(e=>e)?d.element:null,l.length>0?p.element:null,m.element,h),update:()=>{let{state:e}=t;d.select.value=e.wraps,p.select.value=e.outer,m.select.value=e.explode?String(e.explode.dimension):``,h.hidden=!e.explode,h.value=String(e.explode?.gap??2)}}}function n_(e){let{shape:t}=e.run.machine.facts,n=t.map((e,t)=>t).filter(e=>t[e]>1).map(t=>r_(e,t));return{element:Zg(`Slice`,...n.map(e=>e.element)),update:Xg(n)}}function r_(t,n){let{store:r}=t,{shape:i,dimensions:a}=t.run.machine.facts,[s,c]=[a[n],i[n]-1],l=e=>{let i=e&&e[0]<=0&&e[1]>=c;r.set({slice:t.state.slice.map((t,r)=>r===n?i?null:e:t)})},u=t=>e(`input`,{type:`number`,min:0,max:c,"aria-label":`${s}: ${t} coordinate`,onchange:()=>m()}),[d,f]=[u(`first`),u(`last`)],p=e=>Math.min(c,Math.max(0,Math.round(Number(e))||0)),m=()=>{let[e,t]=[p(d.value),p(f.value)];l([Math.min(e,t),Math.max(e,t)])},h=e=>{let r=t.state.slice[n];if(!r)return l(e>0?[0,0]:[c,c]);let i=[r[0]+e,r[1]+e];l(i[0]<0||i[1]>c?null:i)},g=o(`◀`,`The plane before in ${s}`,()=>h(-1),`small`),_=o(`▶`,`The next plane in ${s}`,()=>h(1),`small`),v=o(`all`,`All of ${s}`,()=>l(null),`small`);return{element:e(`div`,{class:`slice`,role:`group`,"aria-label":`Slice in ${s}`},e(`b`,{},s),d,`–`,f,g,_,v),update:()=>{let e=t.state.slice[n]??[0,c];d.value=String(e[0]),f.value=String(e[1]),v.disabled=!t.state.slice[n]}}}function i_(t){let{store:r}=t,i=a(`Color nodes by`,`What gives nodes their color`,vi(t.runs),e=>r.set({nodes:e})),o=a(`Messages`,`Messages between ranks, as arcs`,[],e=>r.set({messages:/^\d+$/.test(e)?Number(e):e})),s=e(`p`,{class:`hint`}),c=e(`input`,{type:`checkbox`,onchange:()=>r.set({ring:c.checked})}),l=e(`label`,{class:`check`,title:`The head packets that wait for one another`},c,` Show the deadlock's ring`),u=()=>{let{state:e}=t;i.select.value=e.nodes,c.checked=e.ring,o.element.hidden=s.hidden=!t.run.messages,t.run.messages&&(o.setOptions(s_(t)),o.select.value=String(e.messages),n(s,a_(t),` `,...o_(t)))},d=t.runs.some(({facts:e})=>e.deadlock);return{element:Zg(`Nodes`,i.element,o.element,s,d?l:null),update:u}}function a_(e){let{state:t,run:n}=e;if(t.messages===`none`)return``;let r=Bg(e,n).length;return r>2e3?`${q(Lg)} of ${q(r)} messages are drawn.`:r===0&&t.messages===`now`?`None at this time: move the slider.`:`${q(r)} messages.`}function o_(t){let{state:n,series:r}=t,i=e(`a`,{href:`https://ui.perfetto.dev`,target:`_blank`,rel:`noopener noreferrer`},`Perfetto`);return[`What ranks do${n.time===null||!r?``:`, at ${t.time(r.start[n.time])}`}: open the file of torusim run --timeline in `,i,`.`]}function s_(e){let t=e.run.calls.map(({number:e,text:t})=>({value:String(e),text:`of call ${e}: ${t}`})),n=new Set;return[{value:`none`,text:`none`},{value:`now`,text:`under way at the slider's time`},...t.filter(({value:e})=>!n.has(e)&&n.add(e))]}function c_(t){if(!t.runs.some(({facts:e})=>e.deadlock))return null;let r=e(`div`,{});return{element:e(`section`,{"aria-label":`Deadlock`},e(`h2`,{},`Deadlock`),r),update:()=>n(r,...l_(t))}}function l_(t){let{facts:n}=t.run;if(!n.deadlock)return[e(`p`,{class:`hint`},`This run has none.`)];let{cycle:r,blocked_heads:i,ring:a}=n.deadlock,o=`Found at ${t.timeWithCycles(r)}: ${q(i)} head packets can never move.`,s=a.map(e=>u_(t,e));return[e(`p`,{},o),c(`Each waits for the next`,[`Sits at`,`In the buffer of`,`Waits for`,`Goes to`],s)]}function u_(e,{node:t,receiver:n,channel:r,toward:i,toward_channel:a,target:o}){let{machine:s,facts:c}=e.run,l=e=>c.machine.vcs[e]??`VC ${e}`,u=s.linkFrom(t,s.directionOf(i)),d=`${i} ${l(a)}`;return[lh(e,t),`${n} ${l(r)}`,u===null?d:uh(e,u,d),lh(e,o)]}function d_(t){if(t.runs.every(e=>f_(e).length===0))return null;let r=e(`div`,{});return{element:e(`section`,{"aria-label":`Jobs`},e(`h2`,{},`Jobs`),r),update:e=>{(e.has(`run`)||e.has(`data`))&&n(r,...p_(t))}}}function f_({summary:e}){return Array.isArray(e.jobs)?e.jobs:[]}function p_(t){let n=f_(t.run);if(n.length===0)return[e(`p`,{class:`hint`},`This run has one.`)];let r=(e,t)=>typeof e==`number`?t(e):`–`,i=e=>r(e,e=>t.time(e)),a=n.some(({start_cycle:e})=>e!==0),o=n.some(({slowdown:e})=>typeof e==`number`),l=n.map(e=>[`${e.job}`,r(e.nodes,q),...a?[i(e.start_cycle)]:[],i(e.completion_cycles),...o?[i(e.alone_completion_cycles),r(e.slowdown,q)]:[]]);return[s(c(``,[`Job`,`Nodes`,...a?[`Begins`]:[],`Takes`,...o?[`Alone`,`Slowdown`]:[]],l,`hot`))]}function m_(t,r){let{store:i}=t,a=t=>e(`input`,{type:`text`,"aria-label":t,placeholder:t,spellcheck:`false`}),[s,c]=[a(`from node`),a(`to node`)],l=e(`p`,{class:`problem`,role:`alert`}),u=e(`form`,{class:`ask`},s,c,e(`button`,{type:`submit`,title:`Show the ways of this pair`},`Show`));u.addEventListener(`submit`,e=>{e.preventDefault();let r=[s,c].map(e=>t.run.parse(e.value)),a=r.find(e=>!(`node`in e));n(l,a?`problem`in a?a.problem:`A route needs two nodes, not a link.`:``);let[o,u]=r;`node`in o&&`node`in u&&i.set({route:{source:o.node,target:u.node}})}),u.addEventListener(`input`,()=>n(l));let d=o(`Pick by two clicks`,`The next two nodes that you click are the pair`,()=>{r.next=r.next?null:`source`,h(new Set)}),f=o(`Clear`,`Show no route`,()=>{s.value=c.value=``,n(l),i.set({route:null})}),p=e(`div`,{}),m=e(`section`,{"aria-label":`Routes of a pair`},e(`h2`,{},`Routes of a pair`),u,l,e(`p`,{},d,` `,f),p),h=e=>{let i=t.state.route;d.setAttribute(`aria-pressed`,String(r.next!==null)),n(d,r.next===`source`?`Click the first node …`:r.next===`target`?`Click the last node …`:`Pick by two clicks`),e.has(`route`)&&i&&!e.has(`data`)&&m.scrollIntoView({block:`nearest`}),e.has(`route`)&&(s.value=i?t.run.machine.nodeName(i.source):``,c.value=i?t.run.machine.nodeName(i.target):``),n(l),n(p,...i?h_(t,i):[])};return{element:m,update:h}}function h_(t,n){let{run:r,theme:i}=t,{machine:a,facts:o}=r,s=o.routes,l=s?.order===`adaptive`,u=o.routes_note?e(`p`,{class:`hint`},o.routes_note):null,d=s?kg(a,s,n):[];if(!s||d.length===0)return[u??e(`p`,{class:`hint`},`The routes of this pair are not known.`)];let f=e=>zi(d.length>1?Ri(e):Ii[i].route),p=d.map((t,n)=>{let i=e(`i`,{class:`key`,style:`background: ${f(n)}`}),{any:o,inOrder:s}=Ag(a,t),c=o.filter(e=>!r.deadLinks.has(e));return[e(`span`,{},i,` ${t.parts.map(e=>Ig(a,e.hops)).join(`; then `)}`),Lr(t.share),(l?c:s).length]}),m=l?`Colored: all links of minimal routes, in any order of the hops. Thin line: the escape VC's way, dimension by dimension.`:`Packets take one dimension after the other.`,h=d.flatMap(e=>Ag(a,e).any);return[xh(t,[n.source,n.target,...h.map(e=>a.source[e])]),c(d.length>1?`Several ways are equally short`:``,[`Hops`,`Packets`,`Links`],p),e(`p`,{class:`hint`},m),g_(t,d[0]),u]}function g_(t,{parts:n}){let r=n.slice(1).map(({source:e})=>t.run.machine.nodeName(e));return r.length>0?e(`p`,{},`Round what is dead: software of ${r.join(`, `)} forwards the packets.`):null}var __=50;function v_(t){let r=e(`div`,{}),i=e(`details`,{class:`tables`},e(`summary`,{},`Values as tables`),r),a={links:0,rows:0},o=()=>{i.open&&n(r,b_(t,a,o),x_(t,a,o))};return i.addEventListener(`toggle`,o),{element:i,update:o}}function y_(t,n,r){let i=Math.max(0,Math.ceil(n/__)-1),a=e=>()=>r(Math.min(i,Math.max(0,e)));return e(`p`,{},o(`◀`,`The page before`,a(t-1),`small`),` ${t+1} of ${q(i+1)} `,o(`▶`,`The next page`,a(t+1),`small`))}function b_(t,n,r){let{run:i,quantity:a,state:o}=t,{machine:l}=i,u=new Float64Array(l.links);t.fill(u,o.run);let d=t.isDifference?Qr:$r,f=[];u.forEach((e,n)=>{Math.abs(e)<t.threshold||!_h(l,l.source[n],o.slice)||f.push(n)}),n.links=Math.min(n.links,Math.floor(Math.max(0,f.length-1)/__));let p=f.slice(n.links*__,(n.links+1)*__).map(e=>[uh(t,e,l.linkName(e)),l.nodeName(l.target[e]),d(u[e],a)]);return e(`div`,{},s(c(`${q(f.length)} links that are shown`,[`Link`,`To`,a.label],p)),y_(n.links,f.length,e=>{n.links=e,r()}))}function x_(t,n,r){let{series:i}=t;if(!i)return null;let a=[`packets_injected`,`packets_delivered`,`packets_in_flight`,`utilization`].filter(e=>i.column(e)),o=a.map(e=>i.column(e)),l=n.rows*__,u=Array.from({length:Math.min(__,i.rows-l)},(e,t)=>[q(i.start[l+t]),q(i.end[l+t]),...o.map(e=>q(e[l+t]))]);return e(`div`,{},s(c(`Rows of the series`,[`Start, cycles`,`End, cycles`,...a.map(e=>e.replaceAll(`_`,` `))],u)),y_(n.rows,i.rows,e=>{n.rows=e,r()}))}var S_=class{button=o(`▶`,`Play (space)`,()=>this.toggle());stepsASecond;begin;next;timer=0;constructor(e,t,n){this.stepsASecond=e,this.begin=t,this.next=n}toggle(){this.timer?this.stop():this.play()}stop(){window.clearInterval(this.timer),this.timer=0,this.name(`▶`,`Play (space)`)}play(){this.begin(),this.timer=window.setInterval(()=>{this.next()||this.stop()},1e3/this.stepsASecond),this.name(`⏸`,`Pause (space)`)}name(e,t){n(this.button,e),this.button.title=this.button.ariaLabel=t}},C_=!0,w_=`uplot`,T_=`u-hz`,E_=`u-vt`,D_=`u-title`,O_=`u-wrap`,k_=`u-under`,A_=`u-over`,j_=`u-axis`,M_=`u-off`,N_=`u-select`,P_=`u-cursor-x`,F_=`u-cursor-y`,I_=`u-cursor-pt`,L_=`u-legend`,R_=`u-live`,z_=`u-inline`,B_=`u-series`,V_=`u-marker`,H_=`u-label`,U_=`u-value`,W_=`width`,G_=`height`,K_=`top`,q_=`bottom`,J_=`left`,Y_=`right`,X_=`#000`,Z_=`#0000`,Q_=`mousemove`,$_=`mousedown`,ev=`mouseup`,tv=`mouseenter`,nv=`mouseleave`,rv=`dblclick`,iv=`resize`,av=`scroll`,ov=`change`,sv=`dppxchange`,cv=`--`,lv=typeof window<`u`,uv=lv?document:null,dv=lv?window:null,fv=lv?navigator:null,pv,mv;function hv(){let e=devicePixelRatio;pv!=e&&(pv=e,mv&&Av(ov,mv,hv),mv=matchMedia(`(min-resolution: ${pv-.001}dppx) and (max-resolution: ${pv+.001}dppx)`),kv(ov,mv,hv),dv.dispatchEvent(new CustomEvent(sv)))}function gv(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function _v(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function vv(e,t,n){e.style[t]=n+`px`}function yv(e,t,n,r){let i=uv.createElement(e);return t!=null&&gv(i,t),n?.insertBefore(i,r),i}function bv(e,t){return yv(`div`,e,t)}var xv=new WeakMap;function Sv(e,t,n,r,i){let a=`translate(`+t+`px,`+n+`px)`;a!=xv.get(e)&&(e.style.transform=a,xv.set(e,a),t<0||n<0||t>r||n>i?gv(e,M_):_v(e,M_))}var Cv=new WeakMap;function wv(e,t,n){let r=t+n;r!=Cv.get(e)&&(Cv.set(e,r),e.style.background=t,e.style.borderColor=n)}var Tv=new WeakMap;function Ev(e,t,n,r){let i=t+``+n;i!=Tv.get(e)&&(Tv.set(e,i),e.style.height=n+`px`,e.style.width=t+`px`,e.style.marginLeft=r?-t/2+`px`:0,e.style.marginTop=r?-n/2+`px`:0)}var Dv={passive:!0},Ov={...Dv,capture:!0};function kv(e,t,n,r){t.addEventListener(e,n,r?Ov:Dv)}function Av(e,t,n,r){t.removeEventListener(e,n,Dv)}lv&&hv();function jv(e,t,n,r){let i;n||=0,r||=t.length-1;let a=r<=2147483647;for(;r-n>1;)i=a?n+r>>1:$v((n+r)/2),t[i]<e?n=i:r=i;return e-t[n]<=t[r]-e?n:r}function Mv(e){return(t,n,r)=>{let i=-1,a=-1;for(let a=n;a<=r;a++)if(e(t[a])){i=a;break}for(let i=r;i>=n;i--)if(e(t[i])){a=i;break}return[i,a]}}var Nv=e=>e!=null,Pv=e=>e!=null&&e>0,Fv=Mv(Nv),Iv=Mv(Pv);function Lv(e,t,n,r=0,i=!1){let a=i?Iv:Fv,o=i?Pv:Nv;[t,n]=a(e,t,n);let s=e[t],c=e[t];if(t>-1){if(r==1)s=e[t],c=e[n];else if(r==-1)s=e[n],c=e[t];else for(let r=t;r<=n;r++){let t=e[r];o(t)&&(t<s?s=t:t>c&&(c=t))}}return[s??uy,c??-uy]}function Rv(e,t,n,r){let i=ay(e),a=ay(t);e==t&&(i==-1?(e*=n,t/=n):(e/=n,t*=n));let o=n==10?oy:sy,s=i==1?$v:ty,c=a==1?ty:$v,l=s(o(Qv(e))),u=c(o(Qv(t))),d=iy(n,l),f=iy(n,u);return n==10&&(l<0&&(d=Ey(d,-l)),u<0&&(f=Ey(f,-u))),r||n==2?(e=d*i,t=f*a):(e=Ty(e,d),t=wy(t,f)),[e,t]}function zv(e,t,n,r){let i=Rv(e,t,n,r);return e==0&&(i[0]=0),t==0&&(i[1]=0),i}var Bv=.1,Vv={mode:3,pad:Bv},Hv={pad:0,soft:null,mode:0},Uv={min:Hv,max:Hv};function Wv(e,t,n,r){return Ly(n)?qv(e,t,n):(Hv.pad=n,Hv.soft=r?0:null,Hv.mode=r?3:0,qv(e,t,Uv))}function Gv(e,t){return e??t}function Kv(e,t,n){for(t=Gv(t,0),n=Gv(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function qv(e,t,n){let r=n.min,i=n.max,a=Gv(r.pad,0),o=Gv(i.pad,0),s=Gv(r.hard,-uy),c=Gv(i.hard,uy),l=Gv(r.soft,uy),u=Gv(i.soft,-uy),d=Gv(r.mode,0),f=Gv(i.mode,0),p=t-e,m=oy(p),h=ry(Qv(e),Qv(t)),g=Qv(oy(h)-m);(p<1e-24||g>10)&&(p=0,(e==0||t==0)&&(p=1e-24,d==2&&l!=uy&&(a=0),f==2&&u!=-uy&&(o=0)));let _=p||h||1e3,v=iy(10,$v(oy(_))),y=Ey(Ty(e-_*(p==0?e==0?.1:1:a),v/10),24),b=e>=l&&(d==1||d==3&&y<=l||d==2&&y>=l)?l:uy,x=ry(s,y<b&&e>=b?b:ny(b,y)),S=Ey(wy(t+_*(p==0?t==0?.1:1:o),v/10),24),C=t<=u&&(f==1||f==3&&S>=u||f==2&&S<=u)?u:-uy,w=ny(c,S>C&&t<=C?C:ry(C,S));return x==w&&x==0&&(w=100),[x,w]}var Jv=new Intl.NumberFormat(lv?fv.language:`en-US`),Yv=e=>Jv.format(e),Xv=Math,Zv=Xv.PI,Qv=Xv.abs,$v=Xv.floor,ey=Xv.round,ty=Xv.ceil,ny=Xv.min,ry=Xv.max,iy=Xv.pow,ay=Xv.sign,oy=Xv.log10,sy=Xv.log2,cy=(e,t=1)=>Xv.sinh(e)*t,ly=(e,t=1)=>Xv.asinh(e/t),uy=1/0;function dy(e){return(oy((e^e>>31)-(e>>31))|0)+1}function fy(e,t,n){return ny(ry(e,t),n)}function py(e){return typeof e==`function`}function my(e){return py(e)?e:()=>e}var hy=()=>{},gy=e=>e,_y=(e,t)=>t,vy=e=>null,yy=e=>!0,by=(e,t)=>e==t,xy=/\.\d*?(?=9{6,}|0{6,})/gm,Sy=e=>{if(Py(e)||Dy.has(e))return e;let t=`${e}`,n=t.match(xy);if(n==null)return e;let r=n[0].length-1;if(t.indexOf(`e-`)!=-1){let[e,n]=t.split(`e`);return+`${Sy(e)}e${n}`}return Ey(e,r)};function Cy(e,t){return Sy(Ey(Sy(e/t))*t)}function wy(e,t){return Sy(ty(Sy(e/t))*t)}function Ty(e,t){return Sy($v(Sy(e/t))*t)}function Ey(e,t=0){if(Py(e))return e;let n=10**t;return ey(e*n*(1+2**-52))/n}var Dy=new Map;function Oy(e){return((``+e).split(`.`)[1]||``).length}function ky(e,t,n,r){let i=[],a=r.map(Oy);for(let o=t;o<n;o++){let t=Qv(o),n=Ey(iy(e,o),t);for(let s=0;s<r.length;s++){let c=e==10?+`${r[s]}e${o}`:r[s]*n,l=(o>=0?0:t)+(o>=a[s]?0:a[s]),u=e==10?c:Ey(c,l);i.push(u),Dy.set(u,l)}}return i}var Ay={},jy=[],My=[null,null],Ny=Array.isArray,Py=Number.isInteger,Fy=e=>e===void 0;function Iy(e){return typeof e==`string`}function Ly(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function Ry(e){return typeof e==`object`&&!!e}var zy=Object.getPrototypeOf(Uint8Array),By=`__proto__`;function Vy(e,t=Ly){let n;if(Ny(e)){let r=e.find(e=>e!=null);if(Ny(r)||t(r)){n=Array(e.length);for(let r=0;r<e.length;r++)n[r]=Vy(e[r],t)}else n=e.slice()}else if(e instanceof zy)n=e.slice();else if(t(e)){n={};for(let r in e)r!=By&&(n[r]=Vy(e[r],t))}else n=e;return n}function Hy(e){let t=arguments;for(let n=1;n<t.length;n++){let r=t[n];for(let t in r)t!=By&&(Ly(e[t])?Hy(e[t],Vy(r[t])):e[t]=Vy(r[t]))}return e}var Uy=0,Wy=1,Gy=2;function Ky(e,t,n){for(let r=0,i,a=-1;r<t.length;r++){let o=t[r];if(o>a){for(i=o-1;i>=0&&e[i]==null;)e[i--]=null;for(i=o+1;i<n&&e[i]==null;)e[a=i++]=null}}}function qy(e,t){if(Xy(e)){let t=e[0].slice();for(let n=1;n<e.length;n++)t.push(...e[n].slice(1));return Zy(t[0])||(t=Yy(t)),t}let n=new Set;for(let t=0;t<e.length;t++){let r=e[t][0],i=r.length;for(let e=0;e<i;e++)n.add(r[e])}let r=[Array.from(n).sort((e,t)=>e-t)],i=r[0].length,a=new Map;for(let e=0;e<i;e++)a.set(r[0][e],e);for(let n=0;n<e.length;n++){let o=e[n],s=o[0];for(let e=1;e<o.length;e++){let c=o[e],l=Array(i).fill(void 0),u=t?t[n][e]:Wy,d=[];for(let e=0;e<c.length;e++){let t=c[e],n=a.get(s[e]);t===null?u!=Uy&&(l[n]=t,u==Gy&&d.push(n)):l[n]=t}Ky(l,d,i),r.push(l)}}return r}var Jy=typeof queueMicrotask>`u`?e=>Promise.resolve().then(e):queueMicrotask;function Yy(e){let t=e[0],n=t.length,r=Array(n);for(let e=0;e<r.length;e++)r[e]=e;r.sort((e,n)=>t[e]-t[n]);let i=[];for(let t=0;t<e.length;t++){let a=e[t],o=Array(n);for(let e=0;e<n;e++)o[e]=a[r[e]];i.push(o)}return i}function Xy(e){let t=e[0][0],n=t.length;for(let r=1;r<e.length;r++){let i=e[r][0];if(i.length!=n)return!1;if(i!=t){for(let e=0;e<n;e++)if(i[e]!=t[e])return!1}}return!0}function Zy(e,t=100){let n=e.length;if(n<=1)return!0;let r=0,i=n-1;for(;r<=i&&e[r]==null;)r++;for(;i>=r&&e[i]==null;)i--;if(i<=r)return!0;let a=ry(1,$v((i-r+1)/t));for(let t=e[r],n=r+a;n<=i;n+=a){let r=e[n];if(r!=null){if(r<=t)return!1;t=r}}return!0}var Qy=[`January`,`February`,`March`,`April`,`May`,`June`,`July`,`August`,`September`,`October`,`November`,`December`],$y=[`Sunday`,`Monday`,`Tuesday`,`Wednesday`,`Thursday`,`Friday`,`Saturday`];function eb(e){return e.slice(0,3)}var tb=$y.map(eb),nb={MMMM:Qy,MMM:Qy.map(eb),WWWW:$y,WWW:tb};function rb(e){return(e<10?`0`:``)+e}function ib(e){return(e<10?`00`:e<100?`0`:``)+e}var ab={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+``).slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>rb(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>rb(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>rb(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?`PM`:`AM`,aa:e=>e.getHours()>=12?`pm`:`am`,a:e=>e.getHours()>=12?`p`:`a`,mm:e=>rb(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>rb(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>ib(e.getMilliseconds())};function ob(e,t){t||=nb;let n=[],r=/\{([a-z]+)\}|[^{]+/gi,i;for(;i=r.exec(e);)n.push(i[0][0]==`{`?ab[i[1]]:i[0]);return e=>{let r=``;for(let i=0;i<n.length;i++)r+=typeof n[i]==`string`?n[i]:n[i](e,t);return r}}var sb=new Intl.DateTimeFormat().resolvedOptions().timeZone;function cb(e,t){let n;return t==`UTC`||t==`Etc/UTC`?n=new Date(+e+e.getTimezoneOffset()*6e4):t==sb?n=e:(n=new Date(e.toLocaleString(`en-US`,{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var lb=e=>e%1==0,ub=[1,2,2.5,5],db=ky(10,-32,0,ub),fb=ky(10,0,32,ub),pb=fb.filter(lb),mb=db.concat(fb),hb=`
`,gb=`{YYYY}`,_b=hb+gb,vb=`{M}/{D}`,yb=hb+vb,bb=yb+`/{YY}`,xb=`{aa}`,Sb=`{h}:{mm}`+xb,Cb=hb+Sb,wb=`:{ss}`,Tb=null;function Eb(e){let t=e*1e3,n=t*60,r=n*60,i=r*24,a=i*30,o=i*365,s=(e==1?ky(10,0,3,ub).filter(lb):ky(10,-3,0,ub)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,r,r*2,r*3,r*4,r*6,r*8,r*12,i,i*2,i*3,i*4,i*5,i*6,i*7,i*8,i*9,i*10,i*15,a,a*2,a*3,a*4,a*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,gb,Tb,Tb,Tb,Tb,Tb,Tb,1],[i*28,`{MMM}`,_b,Tb,Tb,Tb,Tb,Tb,1],[i,vb,_b,Tb,Tb,Tb,Tb,Tb,1],[r,`{h}`+xb,bb,Tb,yb,Tb,Tb,Tb,1],[n,Sb,bb,Tb,yb,Tb,Tb,Tb,1],[t,wb,bb+` `+Sb,Tb,yb+` `+Sb,Tb,Cb,Tb,1],[e,wb+`.{fff}`,bb+` `+Sb,Tb,yb+` `+Sb,Tb,Cb,Tb,1]];function l(t){return(s,c,l,u,d,f)=>{let p=[],m=d>=o,h=d>=a&&d<o,g=t(l),_=Ey(g*e,3),v=Ib(g.getFullYear(),m?0:g.getMonth(),h||m?1:g.getDate()),y=Ey(v*e,3);if(h||m){let n=h?d/a:0,r=m?d/o:0,i=_==y?_:Ey(Ib(v.getFullYear()+r,v.getMonth()+n,1)*e,3),s=new Date(ey(i/e)),c=s.getFullYear(),l=s.getMonth();for(let a=0;i<=u;a++){let o=Ib(c+r*a,l+n*a,1),s=o-t(Ey(o*e,3));i=Ey((+o+s)*e,3),i<=u&&p.push(i)}}else{let a=d>=i?i:d,o=y+($v(l)-$v(_))+wy(_-y,a);p.push(o);let m=t(o),h=m.getHours()+m.getMinutes()/n+m.getSeconds()/r,g=d/r,v=f/s.axes[c]._space;for(;o=Ey(o+d,e==1?0:3),!(o>u);)if(g>1){let e=$v(Ey(h+g,6))%24,n=t(o).getHours()-e;n>1&&(n=-1),o-=n*r,h=(h+g)%24;let i=p[p.length-1];Ey((o-i)/d,3)*v>=.7&&p.push(o)}else p.push(o)}return p}}return[s,c,l]}var[Db,Ob,kb]=Eb(1),[Ab,jb,Mb]=Eb(.001);ky(2,-53,53,[1]);function Nb(e,t){return e.map(e=>e.map((n,r)=>r==0||r==8||n==null?n:t(r==1||e[8]==0?n:e[1]+n)))}function Pb(e,t){return(n,r,i,a,o)=>{let s=t.find(e=>o>=e[0])||t[t.length-1],c,l,u,d,f,p;return r.map(t=>{let n=e(t),r=n.getFullYear(),i=n.getMonth(),a=n.getDate(),o=n.getHours(),m=n.getMinutes(),h=n.getSeconds(),g=r!=c&&s[2]||i!=l&&s[3]||a!=u&&s[4]||o!=d&&s[5]||m!=f&&s[6]||h!=p&&s[7]||s[1];return c=r,l=i,u=a,d=o,f=m,p=h,g(n)})}}function Fb(e,t){let n=ob(t);return(t,r,i,a,o)=>r.map(t=>n(e(t)))}function Ib(e,t,n){return new Date(e,t,n)}function Lb(e,t){return t(e)}var Rb=`{YYYY}-{MM}-{DD} {h}:{mm}{aa}`;function zb(e,t){return(n,r,i,a)=>a==null?cv:t(e(r))}function Bb(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function Vb(e,t){return e.series[t].fill(e,t)}var Hb={show:!0,live:!0,isolate:!1,mount:hy,markers:{show:!0,width:2,stroke:Bb,fill:Vb,dash:`solid`},idx:null,idxs:null,values:[]};function Ub(e,t){let n=e.cursor.points,r=bv(),i=n.size(e,t);vv(r,W_,i),vv(r,G_,i);let a=i/-2;vv(r,`marginLeft`,a),vv(r,`marginTop`,a);let o=n.width(e,t,i);return o&&vv(r,`borderWidth`,o),r}function Wb(e,t){let n=e.series[t].points;return n._fill||n._stroke}function Gb(e,t){let n=e.series[t].points;return n._stroke||n._fill}function Kb(e,t){return e.series[t].points.size}var qb=[0,0];function Jb(e,t,n){return qb[0]=t,qb[1]=n,qb}function Yb(e,t,n,r=!0){return e=>{e.button!=0||r&&e.target!=t||n(e)}}function Xb(e,t,n,r=!0){return e=>{r&&e.target!=t||n(e)}}var Zb={show:!0,x:!0,y:!0,lock:!1,move:Jb,points:{one:!1,show:Ub,size:Kb,width:0,stroke:Gb,fill:Wb},bind:{mousedown:Yb,mouseup:Yb,click:Yb,dblclick:Yb,mousemove:Xb,mouseleave:Xb,mouseenter:Xb},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,r,i)=>r-i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Qb={show:!0,stroke:`rgba(0,0,0,0.07)`,width:2},$b=Hy({},Qb,{filter:_y}),ex=Hy({},$b,{size:10}),tx=Hy({},Qb,{show:!1}),nx=`12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"`,rx=`bold `+nx,ix=1.5,ax={show:!0,scale:`x`,stroke:X_,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:rx,side:2,grid:$b,ticks:ex,border:tx,font:nx,lineGap:ix,rotate:0},ox=`Value`,sx=`Time`,cx={show:!0,scale:`x`,auto:!1,sorted:1,min:uy,max:-1/0,idxs:[]};function lx(e,t,n,r,i){return t.map(e=>e==null?``:Yv(e))}function ux(e,t,n,r,i,a,o){let s=[],c=Dy.get(i)||0;n=o?n:Ey(wy(n,i),c);for(let e=n;e<=r;e=Ey(e+i,c))s.push(Object.is(e,-0)?0:e);return s}function dx(e,t,n,r,i,a,o){let s=[],c=e.scales[e.axes[t].scale].log;i=iy(c,$v((c==10?oy:sy)(n))),c==10&&(i=mb[jv(i,mb)]);let l=n,u=i*c;c==10&&(u=mb[jv(u,mb)]);do s.push(l),l+=i,c==10&&!Dy.has(l)&&(l=Ey(l,Dy.get(i))),l>=u&&(i=l,u=i*c,c==10&&(u=mb[jv(u,mb)]));while(l<=r);return s}function fx(e,t,n,r,i,a,o){let s=e.scales[e.axes[t].scale].asinh,c=r>s?dx(e,t,ry(s,n),r,i):[s],l=r>=0&&n<=0?[0]:[];return(n<-s?dx(e,t,ry(s,-r),-n,i):[s]).reverse().map(e=>-e).concat(l,c)}var px=/./,mx=/[12357]/,hx=/[125]/,gx=/1/,_x=(e,t,n,r)=>e.map((e,i)=>t==4&&e==0||i%r==0&&n.test(e.toExponential()[+(e<0)])?e:null);function vx(e,t,n,r,i){let a=e.axes[n],o=a.scale,s=e.scales[o],c=e.valToPos,l=a._space,u=c(10,o),d=c(9,o)-u>=l?px:c(7,o)-u>=l?mx:c(5,o)-u>=l?hx:gx;if(d==gx){let e=Qv(c(1,o)-u);if(e<l)return _x(t.slice().reverse(),s.distr,d,ty(l/e)).reverse()}return _x(t,s.distr,d,1)}function yx(e,t,n,r,i){let a=e.axes[n],o=a.scale,s=a._space,c=e.valToPos,l=Qv(c(1,o)-c(2,o));return l<s?_x(t.slice().reverse(),3,px,ty(s/l)).reverse():t}function bx(e,t,n,r){return r==null?cv:t==null?``:Yv(t)}var xx={show:!0,scale:`y`,stroke:X_,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:rx,side:3,grid:$b,ticks:ex,border:tx,font:nx,lineGap:ix,rotate:0};function Sx(e,t){return Ey((3+(e||1)*2)*t,3)}function Cx(e,t){let{scale:n,idxs:r}=e.series[0],i=e._data[0],a=e.valToPos(i[r[0]],n,!0),o=Qv(e.valToPos(i[r[1]],n,!0)-a)/(e.series[t].points.space*pv);return r[1]-r[0]<=o}var wx={scale:null,auto:!0,sorted:0,min:uy,max:-1/0},Tx=(e,t,n,r,i)=>i,Ex={show:!0,auto:!0,sorted:0,gaps:Tx,alpha:1,facets:[Hy({},wx,{scale:`x`}),Hy({},wx,{scale:`y`})]},Dx={scale:`y`,auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Tx,alpha:1,points:{show:Cx,filter:null},values:null,min:uy,max:-1/0,idxs:[],path:null,clip:null};function Ox(e,t,n,r,i){return n/10}var kx={time:C_,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Ax=Hy({},kx,{time:!1,ori:1}),jx={};function Mx(e,t){let n=jx[e];return n||(n={key:e,plots:[],sub(e){n.plots.push(e)},unsub(e){n.plots=n.plots.filter(t=>t!=e)},pub(e,t,r,i,a,o,s){for(let c=0;c<n.plots.length;c++)n.plots[c]!=t&&n.plots[c].pub(e,t,r,i,a,o,s)}},e!=null&&(jx[e]=n)),n}var Nx=1,Px=2;function Fx(e,t,n){let r=e.mode,i=e.series[t],a=r==2?e._data[t]:e._data,o=e.scales,s=e.bbox,c=a[0],l=r==2?a[1]:a[t],u=r==2?o[i.facets[0].scale]:o[e.series[0].scale],d=r==2?o[i.facets[1].scale]:o[i.scale],f=s.left,p=s.top,m=s.width,h=s.height,g=e.valToPosH,_=e.valToPosV;return u.ori==0?n(i,c,l,u,d,g,_,f,p,m,h,Wx,Kx,Jx,Xx,Qx):n(i,c,l,u,d,_,g,p,f,h,m,Gx,qx,Yx,Zx,$x)}function Ix(e,t){let n=0,r=0,i=Gv(e.bands,jy);for(let e=0;e<i.length;e++){let a=i[e];a.series[0]==t?n=a.dir:a.series[1]==t&&(a.dir==1?r|=1:r|=2)}return[n,r==1?-1:r==2?1:r==3?2:0]}function Lx(e,t,n,r,i){let a=e.mode,o=e.series[t],s=a==2?o.facets[1].scale:o.scale,c=e.scales[s];return i==-1?c.min:i==1?c.max:c.distr==3?c.dir==1?c.min:c.max:0}function Rx(e,t,n,r,i,a){return Fx(e,t,(e,t,o,s,c,l,u,d,f,p,m)=>{let h=e.pxRound,g=s.dir*(s.ori==0?1:-1),_=s.ori==0?Kx:qx,v,y;g==1?(v=n,y=r):(v=r,y=n);let b=h(l(t[v],s,p,d)),x=h(u(o[v],c,m,f)),S=h(l(t[y],s,p,d)),C=h(u(a==1?c.max:c.min,c,m,f)),w=new Path2D(i);return _(w,S,C),_(w,b,C),_(w,b,x),w})}function zx(e,t,n,r,i,a){let o=null;if(e.length>0){o=new Path2D;let s=t==0?Jx:Yx,c=n;for(let t=0;t<e.length;t++){let n=e[t];if(n[1]>n[0]){let e=n[0]-c;e>0&&s(o,c,r,e,r+a),c=n[1]}}let l=n+i-c;l>0&&s(o,c,r-5,l,r+a+10)}return o}function Bx(e,t,n){let r=e[e.length-1];r&&r[0]==t?r[1]=n:e.push([t,n])}function Vx(e,t,n,r,i,a,o){let s=[],c=e.length;for(let l=i==1?n:r;l>=n&&l<=r;l+=i)if(t[l]===null){let u=l,d=l;if(i==1)for(;++l<=r&&t[l]===null;)d=l;else for(;--l>=n&&t[l]===null;)d=l;let f=a(e[u]),p=d==u?f:a(e[d]),m=u-i;f=o<=0&&m>=0&&m<c?a(e[m]):f;let h=d+i;p=o>=0&&h>=0&&h<c?a(e[h]):p,p>=f&&s.push([f,p])}return s}function Hx(e){return e==0?gy:e==1?ey:t=>Cy(t,e)}function Ux(e){let t=e==0?Wx:Gx,n=e==0?(e,t,n,r,i,a)=>{e.arcTo(t,n,r,i,a)}:(e,t,n,r,i,a)=>{e.arcTo(n,t,i,r,a)},r=e==0?(e,t,n,r,i)=>{e.rect(t,n,r,i)}:(e,t,n,r,i)=>{e.rect(n,t,i,r)};return(e,i,a,o,s,c=0,l=0)=>{c==0&&l==0?r(e,i,a,o,s):(c=ny(c,o/2,s/2),l=ny(l,o/2,s/2),t(e,i+c,a),n(e,i+o,a,i+o,a+s,c),n(e,i+o,a+s,i,a+s,l),n(e,i,a+s,i,a,l),n(e,i,a,i+o,a,c),e.closePath())}}var Wx=(e,t,n)=>{e.moveTo(t,n)},Gx=(e,t,n)=>{e.moveTo(n,t)},Kx=(e,t,n)=>{e.lineTo(t,n)},qx=(e,t,n)=>{e.lineTo(n,t)},Jx=Ux(0),Yx=Ux(1),Xx=(e,t,n,r,i,a)=>{e.arc(t,n,r,i,a)},Zx=(e,t,n,r,i,a)=>{e.arc(n,t,r,i,a)},Qx=(e,t,n,r,i,a,o)=>{e.bezierCurveTo(t,n,r,i,a,o)},$x=(e,t,n,r,i,a,o)=>{e.bezierCurveTo(n,t,i,r,o,a)};function eS(e){return(e,t,n,r,i)=>Fx(e,t,(t,a,o,s,c,l,u,d,f,p,m)=>{let{pxRound:h,points:g}=t,_,v;s.ori==0?(_=Wx,v=Xx):(_=Gx,v=Zx);let y=Ey(g.width*pv,3),b=(g.size-g.width)/2*pv,x=Ey(b*2,3),S=new Path2D,C=new Path2D,{left:w,top:T,width:E,height:D}=e.bbox;Jx(C,w-x,T-x,E+x*2,D+x*2);let O=e=>{if(o[e]!=null){let t=h(l(a[e],s,p,d)),n=h(u(o[e],c,m,f));_(S,t+b,n),v(S,t,n,b,0,Zv*2)}};if(i)i.forEach(O);else for(let e=n;e<=r;e++)O(e);return{stroke:y>0?S:null,fill:S,clip:C,flags:3}})}function tS(e){return(t,n,r,i,a,o)=>{r!=i&&(a!=r&&o!=r&&e(t,n,r),a!=i&&o!=i&&e(t,n,i),e(t,n,o))}}var nS=tS(Kx),rS=tS(qx);function iS(e){let t=Gv(e?.alignGaps,0);return(e,n,r,i)=>Fx(e,n,(a,o,s,c,l,u,d,f,p,m,h)=>{[r,i]=Fv(s,r,i);let g=a.pxRound,_=e=>g(u(e,c,m,f)),v=e=>g(d(e,l,h,p)),y,b;c.ori==0?(y=Kx,b=nS):(y=qx,b=rS);let x=c.dir*(c.ori==0?1:-1),S={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Nx},C=S.stroke,w=!1;if(i-r>=m*4){let t=t=>e.posToVal(t,c.key,!0),n=null,a=null,l,u,d,f=_(o[x==1?r:i]),p=_(o[r]),m=_(o[i]),h=t(x==1?p+1:m-1);for(let e=x==1?r:i;e>=r&&e<=i;e+=x){let r=o[e],i=(x==1?r<h:r>h)?f:_(r),c=s[e];i==f?c==null?c===null&&(w=!0):(u=c,n==null?(y(C,i,v(u)),l=n=a=u):u<n?n=u:u>a&&(a=u)):(n!=null&&b(C,f,v(n),v(a),v(l),v(u)),c==null?(n=a=null,c===null&&(w=!0)):(u=c,y(C,i,v(u)),n=a=l=u),f=i,h=t(f+x))}n!=null&&n!=a&&d!=f&&b(C,f,v(n),v(a),v(l),v(u))}else for(let e=x==1?r:i;e>=r&&e<=i;e+=x){let t=s[e];t===null?w=!0:t!=null&&y(C,_(o[e]),v(t))}let[T,E]=Ix(e,n);if(a.fill!=null||T!=0){let t=S.fill=new Path2D(C),s=v(a.fillTo(e,n,a.min,a.max,T)),c=_(o[r]),l=_(o[i]);x==-1&&([l,c]=[c,l]),y(t,l,s),y(t,c,s)}if(!a.spanGaps){let l=[];w&&l.push(...Vx(o,s,r,i,x,_,t)),S.gaps=l=a.gaps(e,n,r,i,l),S.clip=zx(l,c.ori,f,p,m,h)}return E!=0&&(S.band=E==2?[Rx(e,n,r,i,C,-1),Rx(e,n,r,i,C,1)]:Rx(e,n,r,i,C,E)),S})}function aS(e){let t=Gv(e.align,1),n=Gv(e.ascDesc,!1),r=Gv(e.alignGaps,0),i=Gv(e.extend,!1);return(e,a,o,s)=>Fx(e,a,(c,l,u,d,f,p,m,h,g,_,v)=>{[o,s]=Fv(u,o,s);let y=c.pxRound,{left:b,width:x}=e.bbox,S=e=>y(p(e,d,_,h)),C=e=>y(m(e,f,v,g)),w=d.ori==0?Kx:qx,T={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Nx},E=T.stroke,D=d.dir*(d.ori==0?1:-1),O=C(u[D==1?o:s]),k=S(l[D==1?o:s]),A=k,j=k;i&&t==-1&&(j=b,w(E,j,O)),w(E,k,O);for(let e=D==1?o:s;e>=o&&e<=s;e+=D){let n=u[e];if(n==null)continue;let r=S(l[e]),i=C(n);t==1?w(E,r,O):w(E,A,i),w(E,r,i),O=i,A=r}let M=A;i&&t==1&&(M=b+x,w(E,M,O));let[N,P]=Ix(e,a);if(c.fill!=null||N!=0){let t=T.fill=new Path2D(E),n=C(c.fillTo(e,a,c.min,c.max,N));w(t,M,n),w(t,j,n)}if(!c.spanGaps){let i=[];i.push(...Vx(l,u,o,s,D,S,r));let f=c.width*pv/2,p=n||t==1?f:-f,m=n||t==-1?-f:f;i.forEach(e=>{e[0]+=p,e[1]+=m}),T.gaps=i=c.gaps(e,a,o,s,i),T.clip=zx(i,d.ori,h,g,_,v)}return P!=0&&(T.band=P==2?[Rx(e,a,o,s,E,-1),Rx(e,a,o,s,E,1)]:Rx(e,a,o,s,E,P)),T})}function oS(e,t,n,r,i,a,o=uy){if(e.length>1){let s=null;for(let c=0,l=1/0;c<e.length;c++)if(t[c]!==void 0){if(s!=null){let t=Qv(e[c]-e[s]);t<l&&(l=t,o=Qv(n(e[c],r,i,a)-n(e[s],r,i,a)))}s=c}}return o}function sS(e){e||=Ay;let t=Gv(e.size,[.6,uy,1]),n=e.align||0,r=e.gap||0,i=e.radius;i=i==null?[0,0]:typeof i==`number`?[i,0]:i;let a=my(i),o=1-t[0],s=Gv(t[1],uy),c=Gv(t[2],1),l=Gv(e.disp,Ay),u=Gv(e.each,e=>{}),{fill:d,stroke:f}=l;return(e,t,i,p)=>Fx(e,t,(m,h,g,_,v,y,b,x,S,C,w)=>{let T=m.pxRound,E=n,D=r*pv,O=s*pv,k=c*pv,A,j;_.ori==0?[A,j]=a(e,t):[j,A]=a(e,t);let M=_.dir*(_.ori==0?1:-1),N=_.ori==0?Jx:Yx,P=_.ori==0?u:(e,t,n,r,i,a,o)=>{u(e,t,n,i,r,o,a)},F=Gv(e.bands,jy).find(e=>e.series[0]==t),I=F==null?0:F.dir,ee=m.fillTo(e,t,m.min,m.max,I),L=T(b(ee,v,w,S)),R,te,ne,z=C,B=T(m.width*pv),re=!1,ie=null,ae=null,oe=null,se=null;d!=null&&(B==0||f!=null)&&(re=!0,ie=d.values(e,t,i,p),ae=new Map,new Set(ie).forEach(e=>{e!=null&&ae.set(e,new Path2D)}),B>0&&(oe=f.values(e,t,i,p),se=new Map,new Set(oe).forEach(e=>{e!=null&&se.set(e,new Path2D)})));let{x0:ce,size:le}=l;if(ce!=null&&le!=null){E=1,h=ce.values(e,t,i,p),ce.unit==2&&(h=h.map(t=>e.posToVal(x+t*C,_.key,!0)));let n=le.values(e,t,i,p);te=le.unit==2?n[0]*C:y(n[0],_,C,x)-y(0,_,C,x),z=oS(h,g,y,_,C,x,z),ne=z-te+D}else z=oS(h,g,y,_,C,x,z),ne=z*o+D,te=z-ne;ne<1&&(ne=0),B>=te/2&&(B=0),ne<5&&(T=gy);let ue=ne>0,de=z-ne-(ue?B:0);te=T(fy(de,k,O)),R=(E==0?te/2:E==M?0:te)-E*M*((E==0?D/2:0)+(ue?B/2:0));let fe={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},pe=re?null:new Path2D,me=null;if(F!=null)me=e.data[F.series[1]];else{let{y0:n,y1:r}=l;n!=null&&r!=null&&(g=r.values(e,t,i,p),me=n.values(e,t,i,p))}let he=A*te,ge=j*te;for(let n=M==1?i:p;n>=i&&n<=p;n+=M){let r=g[n];if(r==null)continue;if(me!=null){let e=me[n]??0;if(r-e==0)continue;L=b(e,v,w,S)}let i=y(_.distr!=2||l!=null?h[n]:n,_,C,x),a=b(Gv(r,ee),v,w,S),o=T(i-R),s=T(ry(a,L)),c=T(ny(a,L)),u=s-c;if(r!=null){let i=r<0?ge:he,a=r<0?he:ge;re?(B>0&&oe[n]!=null&&N(se.get(oe[n]),o,c+$v(B/2),te,ry(0,u-B),i,a),ie[n]!=null&&N(ae.get(ie[n]),o,c+$v(B/2),te,ry(0,u-B),i,a)):N(pe,o,c+$v(B/2),te,ry(0,u-B),i,a),P(e,t,n,o-B/2,c,te+B,u)}}return B>0?fe.stroke=re?se:pe:re||(fe._fill=m.width==0?m._fill:m._stroke??m._fill,fe.width=0),fe.fill=re?ae:pe,fe})}function cS(e,t){let n=Gv(t?.alignGaps,0);return(t,r,i,a)=>Fx(t,r,(o,s,c,l,u,d,f,p,m,h,g)=>{[i,a]=Fv(c,i,a);let _=o.pxRound,v=e=>_(d(e,l,h,p)),y=e=>_(f(e,u,g,m)),b,x,S;l.ori==0?(b=Wx,S=Kx,x=Qx):(b=Gx,S=qx,x=$x);let C=l.dir*(l.ori==0?1:-1),w=v(s[C==1?i:a]),T=w,E=[],D=[];for(let e=C==1?i:a;e>=i&&e<=a;e+=C)if(c[e]!=null){let t=s[e],n=v(t);E.push(T=n),D.push(y(c[e]))}let O={stroke:e(E,D,b,S,x,_),fill:null,clip:null,band:null,gaps:null,flags:Nx},k=O.stroke,[A,j]=Ix(t,r);if(o.fill!=null||A!=0){let e=O.fill=new Path2D(k),n=y(o.fillTo(t,r,o.min,o.max,A));S(e,T,n),S(e,w,n)}if(!o.spanGaps){let e=[];e.push(...Vx(s,c,i,a,C,v,n)),O.gaps=e=o.gaps(t,r,i,a,e),O.clip=zx(e,l.ori,p,m,h,g)}return j!=0&&(O.band=j==2?[Rx(t,r,i,a,k,-1),Rx(t,r,i,a,k,1)]:Rx(t,r,i,a,k,j)),O})}function lS(e){return cS(uS,e)}function uS(e,t,n,r,i,a){let o=e.length;if(o<2)return null;let s=new Path2D;if(n(s,e[0],t[0]),o==2)r(s,e[1],t[1]);else{let n=Array(o),r=Array(o-1),a=Array(o-1),c=Array(o-1);for(let n=0;n<o-1;n++)a[n]=t[n+1]-t[n],c[n]=e[n+1]-e[n],r[n]=a[n]/c[n];n[0]=r[0];for(let e=1;e<o-1;e++)r[e]===0||r[e-1]===0||r[e-1]>0!=r[e]>0?n[e]=0:(n[e]=3*(c[e-1]+c[e])/((2*c[e]+c[e-1])/r[e-1]+(c[e]+2*c[e-1])/r[e]),isFinite(n[e])||(n[e]=0));n[o-1]=r[o-2];for(let r=0;r<o-1;r++)i(s,e[r]+c[r]/3,t[r]+n[r]*c[r]/3,e[r+1]-c[r]/3,t[r+1]-n[r+1]*c[r]/3,e[r+1],t[r+1])}return s}var dS=new Set;function fS(){for(let e of dS)e.syncRect(!0)}lv&&(kv(iv,dv,fS),kv(av,dv,fS,!0),kv(sv,dv,()=>{OS.pxRatio=pv}));var pS=iS(),mS=eS();function hS(e,t,n,r){return(r?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((e,r)=>_S(e,r,t,n))}function gS(e,t){return e.map((e,n)=>n==0?{}:Hy({},t,e))}function _S(e,t,n,r){return Hy({},t==0?n:r,e)}function vS(e,t,n){return t==null?My:[t,n]}var yS=vS;function bS(e,t,n){return t==null?My:Wv(t,n,Bv,!0)}function xS(e,t,n,r){return t==null?My:Rv(t,n,e.scales[r].log,!1)}var SS=xS;function CS(e,t,n,r){return t==null?My:zv(t,n,e.scales[r].log,!1)}var wS=CS;function TS(e,t,n,r,i){let a=ry(dy(e),dy(t)),o=t-e,s=jv(i/r*o,n);do{let e=n[s],t=r*e/o;if(t>=i&&a+(e<5?Dy.get(e):0)<=17)return[e,t]}while(++s<n.length);return[0,0]}function ES(e){let t,n;return e=e.replace(/(\d+)px/,(e,r)=>(t=ey((n=+r)*pv))+`px`),[e,t,n]}function DS(e){e.show&&[e.font,e.labelFont].forEach(e=>{let t=Ey(e[2]*pv,1);e[0]=e[0].replace(/[0-9.]+px/,t+`px`),e[1]=t})}function OS(e,t,n){let r={mode:Gv(e.mode,1)},i=r.mode;function a(e,t,n,r){let i=t.valToPct(e);return r+n*(t.dir==-1?1-i:i)}function o(e,t,n,r){let i=t.valToPct(e);return r+n*(t.dir==-1?i:1-i)}function s(e,t,n,r){return t.ori==0?a(e,t,n,r):o(e,t,n,r)}r.valToPosH=a,r.valToPosV=o;let c=!1;r.status=0;let l=r.root=bv(w_);if(e.id!=null&&(l.id=e.id),gv(l,e.class),e.title){let t=bv(D_,l);t.textContent=e.title}let u=yv(`canvas`),d=r.ctx=u.getContext(`2d`),f=bv(O_,l);kv(`click`,f,e=>{e.target===m&&(tn!=Zt||nn!=Qt)&&an.click(r,e)},!0);let p=r.under=bv(k_,f);f.appendChild(u);let m=r.over=bv(A_,f);e=Vy(e);let h=+Gv(e.pxAlign,1),g=Hx(h);(e.plugins||[]).forEach(t=>{t.opts&&(e=t.opts(r,e)||e)});let _=e.ms||.001,v=r.series=i==1?hS(e.series||[],cx,Dx,!1):gS(e.series||[null],Ex),y=r.axes=hS(e.axes||[],ax,xx,!0),b=r.scales={},x=r.bands=e.bands||[];x.forEach(e=>{e.fill=my(e.fill||null),e.dir=Gv(e.dir,-1)});let S=i==2?v[1].facets[0].scale:v[0].scale,C={axes:Ft,series:wt},w=(e.drawOrder||[`axes`,`series`]).map(e=>C[e]);function T(e){let t=e.distr==3?t=>oy(t>0?t:e.clamp(r,t,e.min,e.max,e.key)):e.distr==4?t=>ly(t,e.asinh):e.distr==100?t=>e.fwd(t):e=>e;return n=>{let r=t(n),{_min:i,_max:a}=e,o=a-i;return(r-i)/o}}function E(t){let n=b[t];if(n==null){let r=(e.scales||Ay)[t]||Ay;if(r.from!=null){E(r.from);let e=Hy({},b[r.from],r,{key:t});e.valToPct=T(e),b[t]=e}else{n=b[t]=Hy({},t==S?kx:Ax,r),n.key=t;let e=n.time,a=n.range,o=Ny(a);if((t!=S||i==2&&!e)&&(o&&(a[0]==null||a[1]==null)&&(a={min:a[0]==null?Vv:{mode:1,hard:a[0],soft:a[0]},max:a[1]==null?Vv:{mode:1,hard:a[1],soft:a[1]}},o=!1),!o&&Ly(a))){let e=a;a=(t,n,r)=>n==null?My:Wv(n,r,e)}n.range=my(a||(e?yS:t==S?n.distr==3?SS:n.distr==4?wS:vS:n.distr==3?xS:n.distr==4?CS:bS)),n.auto=my(!o&&n.auto),n.clamp=my(n.clamp||Ox),n._min=n._max=null,n.valToPct=T(n)}}}E(`x`),E(`y`),i==1&&v.forEach(e=>{E(e.scale)}),y.forEach(e=>{E(e.scale)});for(let t in e.scales)E(t);let D=b[S],O=D.distr,k,A;D.ori==0?(gv(l,T_),k=a,A=o):(gv(l,E_),k=o,A=a);let j={};for(let e in b){let t=b[e];(t.min!=null||t.max!=null)&&(j[e]={min:t.min,max:t.max},t.min=t.max=null)}let M=e.tzDate||(e=>new Date(ey(e/_))),N=e.fmtDate||ob,P=_==1?kb(M):Mb(M),F=Pb(M,Nb(_==1?Ob:jb,N)),I=zb(M,Lb(Rb,N)),ee=[],L=r.legend=Hy({},Hb,e.legend),R=r.cursor=Hy({},Zb,{drag:{y:i==2}},e.cursor),te=L.show,ne=R.show,z=L.markers;L.idxs=ee,z.width=my(z.width),z.dash=my(z.dash),z.stroke=my(z.stroke),z.fill=my(z.fill);let B,re,ie,ae=[],oe=[],se,ce=!1,le={};if(L.live){let e=v[1]?v[1].values:null;ce=e!=null,se=ce?e(r,1,0):{_:0};for(let e in se)le[e]=cv}if(te){if(B=yv(`table`,L_,l),ie=yv(`tbody`,null,B),L.mount(r,B),ce){re=yv(`thead`,null,B,ie);let e=yv(`tr`,null,re);for(var ue in yv(`th`,null,e),se)yv(`th`,H_,e).textContent=ue}else gv(B,z_),L.live&&gv(B,R_)}let de={show:!0},fe={show:!1};function pe(e,t){if(t==0&&(ce||!L.live||i==2))return My;let n=[],a=yv(`tr`,B_,ie,ie.childNodes[t]);gv(a,e.class),e.show||gv(a,M_);let o=yv(`th`,null,a);if(z.show){let e=bv(V_,o);if(t>0){let n=z.width(r,t);n&&(e.style.border=n+`px `+z.dash(r,t)+` `+z.stroke(r,t)),e.style.background=z.fill(r,t)}}let s=bv(H_,o);for(var c in e.label instanceof HTMLElement?s.appendChild(e.label):s.textContent=e.label,t>0&&(z.show||(s.style.color=e.width>0?z.stroke(r,t):z.fill(r,t)),he(`click`,o,t=>{if(R._lock)return;Le(t);let n=v.indexOf(e);if((t.ctrlKey||t.metaKey)!=L.isolate){let e=v.some((e,t)=>t>0&&t!=n&&e.show);v.forEach((t,r)=>{r>0&&pn(r,e?r==n?de:fe:de,!0,Qn.setSeries)})}else pn(n,{show:!e.show},!0,Qn.setSeries)},!1),Be&&he(tv,o,t=>{R._lock||(Le(t),pn(v.indexOf(e),xn,!0,Qn.setSeries))},!1)),se){let e=yv(`td`,U_,a);e.textContent=`--`,n.push(e)}return[a,n]}let me=new Map;function he(e,t,n,i=!0){let a=me.get(t)||{},o=R.bind[e](r,t,n,i);o&&(kv(e,t,a[e]=o),me.set(t,a))}function ge(e,t,n){let r=me.get(t)||{};for(let n in r)(e==null||n==e)&&(Av(n,t,r[n]),delete r[n]);e??me.delete(t)}let _e=0,V=0,H=0,U=0,ve=0,W=0,ye=ve,G=W,K=H,be=U,xe=0,Se=0,Ce=0,we=0;r.bbox={};let Te=!1,Ee=!1,De=!1,Oe=!1,ke=!1,Ae=!1;function je(e,t,n){(n||e!=r.width||t!=r.height)&&Me(e,t),It(!1),De=!0,Ee=!0,Vt()}function Me(e,t){r.width=_e=H=e,r.height=V=U=t,ve=W=0,Fe(),Ie();let n=r.bbox;xe=n.left=Cy(ve*pv,.5),Se=n.top=Cy(W*pv,.5),Ce=n.width=Cy(H*pv,.5),we=n.height=Cy(U*pv,.5)}function Ne(){let e=!1,t=0;for(;!e;){t++;let n=Nt(t),i=Pt(t);e=t==3||n&&i,e||(Me(r.width,r.height),Ee=!0)}}function Pe({width:e,height:t}){je(e,t)}r.setSize=Pe;function Fe(){let e=!1,t=!1,n=!1,r=!1;y.forEach((i,a)=>{if(i.show&&i._show){let{side:a,_size:o}=i,s=a%2,c=o+(i.label==null?0:i.labelSize);c>0&&(s?(H-=c,a==3?(ve+=c,r=!0):n=!0):(U-=c,a==0?(W+=c,e=!0):t=!0))}}),Ye[0]=e,Ye[1]=n,Ye[2]=t,Ye[3]=r,H-=$e[1]+$e[3],ve+=$e[3],U-=$e[2]+$e[0],W+=$e[0]}function Ie(){let e=ve+H,t=W+U,n=ve,r=W;function i(i,a){switch(i){case 1:return e+=a,e-a;case 2:return t+=a,t-a;case 3:return n-=a,n+a;case 0:return r-=a,r+a}}y.forEach((e,t)=>{if(e.show&&e._show){let t=e.side;e._pos=i(t,e._size),e.label!=null&&(e._lpos=i(t,e.labelSize))}})}if(R.dataIdx==null){let e=R.hover,n=e.skip=new Set(e.skip??[]);n.add(void 0);let r=e.prox=my(e.prox),i=e.bias??=0;R.dataIdx=(e,a,o,s)=>{if(a==0)return o;let c=o,l=r(e,a,o,s)??uy,u=l>=0&&l<uy,d=D.ori==0?H:U,f=R.left,p=t[0],m=t[a];if(n.has(m[o])){c=null;let e=null,t=null,r;if(i==0||i==-1)for(r=o;e==null&&r-->0;)n.has(m[r])||(e=r);if(i==0||i==1)for(r=o;t==null&&r++<m.length;)n.has(m[r])||(t=r);if(e!=null||t!=null){if(u){let n=e==null?-1/0:k(p[e],D,d,0),r=t==null?1/0:k(p[t],D,d,0),i=f-n,a=r-f;i<=a?i<=l&&(c=e):a<=l&&(c=t)}else c=t==null?e:e==null?t:o-e<=t-o?e:t}}else u&&Qv(f-k(p[o],D,d,0))>l&&(c=null);return c}}let Le=e=>{R.event=e};R.idxs=ee,R._lock=!1;let Re=R.points;Re.show=my(Re.show),Re.size=my(Re.size),Re.stroke=my(Re.stroke),Re.width=my(Re.width),Re.fill=my(Re.fill);let ze=r.focus=Hy({},e.focus||{alpha:.3},R.focus),Be=ze.prox>=0,Ve=Be&&Re.one,He=[],Ue=[],We=[];function Ge(e,t){let n=Re.show(r,t);if(n instanceof HTMLElement)return gv(n,I_),gv(n,e.class),Sv(n,-10,-10,H,U),m.insertBefore(n,He[t]),n}function Ke(e,t){if(i==1||t>0){let t=i==1&&b[e.scale].time,n=e.value;e.value=t?Iy(n)?zb(M,Lb(n,N)):n||I:n||bx,e.label=e.label||(t?sx:ox)}if(Ve||t>0){e.width=e.width==null?1:e.width,e.paths=e.paths||pS||vy,e.fillTo=my(e.fillTo||Lx),e.pxAlign=+Gv(e.pxAlign,h),e.pxRound=Hx(e.pxAlign),e.stroke=my(e.stroke||null),e.fill=my(e.fill||null),e._stroke=e._fill=e._paths=e._focus=null;let t=Sx(ry(1,e.width),1),n=e.points=Hy({},{size:t,width:ry(1,t*.2),stroke:e.stroke,space:t*2,paths:mS,_stroke:null,_fill:null},e.points);n.show=my(n.show),n.filter=my(n.filter),n.fill=my(n.fill),n.stroke=my(n.stroke),n.paths=my(n.paths),n.pxAlign=e.pxAlign}if(te){let n=pe(e,t);ae.splice(t,0,n[0]),oe.splice(t,0,n[1]),L.values.push(null)}if(ne){ee.splice(t,0,null);let n=null;Ve?t==0&&(n=Ge(e,t)):t>0&&(n=Ge(e,t)),He.splice(t,0,n),Ue.splice(t,0,0),We.splice(t,0,0)}Xn(`addSeries`,t)}function qe(e,t){t??=v.length,e=i==1?_S(e,t,cx,Dx):_S(e,t,{},Ex),v.splice(t,0,e),Ke(v[t],t)}r.addSeries=qe;function Je(e){if(v.splice(e,1),te){L.values.splice(e,1),oe.splice(e,1);let t=ae.splice(e,1)[0];ge(null,t.firstChild),t.remove()}ne&&(ee.splice(e,1),He.splice(e,1)[0].remove(),Ue.splice(e,1),We.splice(e,1)),Xn(`delSeries`,e)}r.delSeries=Je;let Ye=[!1,!1,!1,!1];function Xe(e,t){if(e._show=e.show,e.show){let n=e.side%2,i=b[e.scale];i??=(e.scale=n?v[1].scale:S,b[e.scale]);let a=i.time;e.size=my(e.size),e.space=my(e.space),e.rotate=my(e.rotate),Ny(e.incrs)&&e.incrs.forEach(e=>{!Dy.has(e)&&Dy.set(e,Oy(e))}),e.incrs=my(e.incrs||(i.distr==2?pb:a?_==1?Db:Ab:mb)),e.splits=my(e.splits||(a&&i.distr==1?P:i.distr==3?dx:i.distr==4?fx:ux)),e.stroke=my(e.stroke),e.grid.stroke=my(e.grid.stroke),e.ticks.stroke=my(e.ticks.stroke),e.border.stroke=my(e.border.stroke);let o=e.values;e.values=Ny(o)&&!Ny(o[0])?my(o):a?Ny(o)?Pb(M,Nb(o,N)):Iy(o)?Fb(M,o):o||F:o||lx,e.filter=my(e.filter||(i.distr>=3&&i.log==10?vx:i.distr==3&&i.log==2?yx:_y)),e.font=ES(e.font),e.labelFont=ES(e.labelFont),e._size=e.size(r,null,t,0),e._space=e._rotate=e._incrs=e._found=e._splits=e._values=null,e._size>0&&(Ye[t]=!0,e._el=bv(j_,f))}}function Ze(e,t,n,r){let[i,a,o,s]=n,c=t%2,l=0;return c==0&&(s||a)&&(l=t==0&&!i||t==2&&!o?ey(ax.size/3):0),c==1&&(i||o)&&(l=t==1&&!a||t==3&&!s?ey(xx.size/2):0),l}let Qe=r.padding=(e.padding||[Ze,Ze,Ze,Ze]).map(e=>my(Gv(e,Ze))),$e=r._padding=Qe.map((e,t)=>e(r,t,Ye,0)),et,tt=null,nt=null,rt=i==1?v[0].idxs:null,it=null,at=!1;function ot(e,n){if(t=e??[],r.data=r._data=t,i==2){et=0;for(let e=1;e<v.length;e++)et+=t[e][0].length}else{t.length==0&&(r.data=r._data=t=[[]]),it=t[0],et=it.length;let e=t;if(O==2){e=t.slice();let n=e[0]=Array(et);for(let e=0;e<et;e++)n[e]=e}r._data=t=e}if(It(!0),Xn(`setData`),O==2&&(De=!0),n!==!1){let e=D;e.auto(r,at)?st():fn(S,e.min,e.max),Oe||=R.left>=0,Ae=!0,Vt()}}r.setData=ot;function st(){at=!0;let e,n;i==1&&(et>0?(tt=rt[0]=0,nt=rt[1]=et-1,e=t[0][tt],n=t[0][nt],O==2?(e=tt,n=nt):e==n&&(O==3?[e,n]=Rv(e,e,D.log,!1):O==4?[e,n]=zv(e,e,D.log,!1):D.time?n=e+ey(86400/_):[e,n]=Wv(e,n,Bv,!0))):(tt=rt[0]=e=null,nt=rt[1]=n=null)),fn(S,e,n)}let ct,lt,ut,dt,ft,pt,mt,ht,gt,_t;function vt(e,t,n,r,i,a){e??=Z_,n??=jy,r??=`butt`,i??=Z_,a??=`round`,e!=ct&&(d.strokeStyle=ct=e),i!=lt&&(d.fillStyle=lt=i),t!=ut&&(d.lineWidth=ut=t),a!=ft&&(d.lineJoin=ft=a),r!=pt&&(d.lineCap=pt=r),n!=dt&&d.setLineDash(dt=n)}function yt(e,t,n,r){t!=lt&&(d.fillStyle=lt=t),e!=mt&&(d.font=mt=e),n!=ht&&(d.textAlign=ht=n),r!=gt&&(d.textBaseline=gt=r)}function bt(e,t,n,i,a=0){if(i.length>0&&e.auto(r,at)&&(t==null||t.min==null)){let t=Gv(tt,0),r=Gv(nt,i.length-1),o=n.min==null?Lv(i,t,r,a,e.distr==3):[n.min,n.max];e.min=ny(e.min,n.min=o[0]),e.max=ry(e.max,n.max=o[1])}}let xt={min:null,max:null};function St(){for(let e in b){let t=b[e];j[e]==null&&(t.min==null||j[S]!=null&&t.auto(r,at))&&(j[e]=xt)}for(let e in b){let t=b[e];j[e]==null&&t.from!=null&&j[t.from]!=null&&(j[e]=xt)}j[S]!=null&&It(!0);let e={};for(let t in j){let n=j[t];if(n!=null){let a=e[t]=Vy(b[t],Ry);if(n.min!=null)Hy(a,n);else if(t!=S||i==2){if(et==0&&a.from==null){let e=a.range(r,null,null,t);a.min=e[0],a.max=e[1]}else a.min=uy,a.max=-1/0}}}if(et>0){v.forEach((n,a)=>{if(i==1){let i=n.scale,o=j[i];if(o==null)return;let s=e[i];if(a==0){let e=s.range(r,s.min,s.max,i);s.min=e[0],s.max=e[1],tt=jv(s.min,t[0]),nt=jv(s.max,t[0]),nt-tt>1&&(t[0][tt]<s.min&&tt++,t[0][nt]>s.max&&nt--),n.min=it[tt],n.max=it[nt]}else n.show&&n.auto&&bt(s,o,n,t[a],n.sorted);n.idxs[0]=tt,n.idxs[1]=nt}else if(a>0&&n.show&&n.auto){let[r,i]=n.facets,o=r.scale,s=i.scale,[c,l]=t[a],u=e[o],d=e[s];u!=null&&bt(u,j[o],r,c,r.sorted),d!=null&&bt(d,j[s],i,l,i.sorted),n.min=i.min,n.max=i.max}});for(let t in e){let n=e[t],i=j[t];if(n.from==null&&(i==null||i.min==null)){let e=n.range(r,n.min==uy?null:n.min,n.max==-1/0?null:n.max,t);n.min=e[0],n.max=e[1]}}}for(let t in e){let n=e[t];if(n.from!=null){let i=e[n.from];if(i.min==null)n.min=n.max=null;else{let e=n.range(r,i.min,i.max,t);n.min=e[0],n.max=e[1]}}}let n={},a=!1;for(let t in e){let r=e[t],i=b[t];if(i.min!=r.min||i.max!=r.max){i.min=r.min,i.max=r.max;let e=i.distr;i._min=e==3?oy(i.min):e==4?ly(i.min,i.asinh):e==100?i.fwd(i.min):i.min,i._max=e==3?oy(i.max):e==4?ly(i.max,i.asinh):e==100?i.fwd(i.max):i.max,n[t]=a=!0}}if(a){v.forEach((e,t)=>{i==2?t>0&&n.y&&(e._paths=null):n[e.scale]&&(e._paths=null)});for(let e in n)De=!0,Xn(`setScale`,e);ne&&R.left>=0&&(Oe=Ae=!0)}for(let e in j)j[e]=null}function Ct(e){let t=fy(tt-1,0,et-1),n=fy(nt+1,0,et-1);for(;e[t]==null&&t>0;)t--;for(;e[n]==null&&n<et-1;)n++;return[t,n]}function wt(){if(et>0){let e=v.some(e=>e._focus)&&_t!=ze.alpha;e&&(d.globalAlpha=_t=ze.alpha),v.forEach((e,n)=>{if(n>0&&e.show&&(Tt(n,!1),Tt(n,!0),e._paths==null)){let a=_t;_t!=e.alpha&&(d.globalAlpha=_t=e.alpha);let o=i==2?[0,t[n][0].length-1]:Ct(t[n]);e._paths=e.paths(r,n,o[0],o[1]),_t!=a&&(d.globalAlpha=_t=a)}}),v.forEach((e,t)=>{if(t>0&&e.show){let n=_t;_t!=e.alpha&&(d.globalAlpha=_t=e.alpha),e._paths!=null&&Et(t,!1);{let n=e._paths==null?null:e._paths.gaps,i=e.points.show(r,t,tt,nt,n),a=e.points.filter(r,t,i,n);(i||a)&&(e.points._paths=e.points.paths(r,t,tt,nt,a),Et(t,!0))}_t!=n&&(d.globalAlpha=_t=n),Xn(`drawSeries`,t)}}),e&&(d.globalAlpha=_t=1)}}function Tt(e,t){let n=t?v[e].points:v[e];n._stroke=n.stroke(r,e),n._fill=n.fill(r,e)}function Et(e,t){let n=t?v[e].points:v[e],{stroke:r,fill:i,clip:a,flags:o,_stroke:s=n._stroke,_fill:c=n._fill,_width:l=n.width}=n._paths;l=Ey(l*pv,3);let u=null,f=l%2/2;t&&c==null&&(c=l>0?`#fff`:s);let p=n.pxAlign==1&&f>0;if(p&&d.translate(f,f),!t){let e=xe-l/2,t=Se-l/2,n=Ce+l,r=we+l;u=new Path2D,u.rect(e,t,n,r)}t?Ot(s,l,n.dash,n.cap,c,r,i,o,a):Dt(e,s,l,n.dash,n.cap,c,r,i,o,u,a),p&&d.translate(-f,-f)}function Dt(e,n,i,a,o,s,c,l,u,d,f){let p=!1;u!=0&&x.forEach((m,h)=>{if(m.series[0]==e){let e=v[m.series[1]],g=t[m.series[1]],_=(e._paths||Ay).band;Ny(_)&&(_=m.dir==1?_[0]:_[1]);let y,b=null;e.show&&_&&Kv(g,tt,nt)?(b=m.fill(r,h)||s,y=e._paths.clip):_=null,Ot(n,i,a,o,b,c,l,u,d,f,y,_),p=!0}}),p||Ot(n,i,a,o,s,c,l,u,d,f)}function Ot(e,t,n,r,i,a,o,s,c,l,u,f){vt(e,t,n,r,i),(c||l||f)&&(d.save(),c&&d.clip(c),l&&d.clip(l)),f?(s&3)==3?(d.clip(f),u&&d.clip(u),At(i,o),kt(e,a,t)):s&Px?(At(i,o),d.clip(f),kt(e,a,t)):s&Nx&&(d.save(),d.clip(f),u&&d.clip(u),At(i,o),d.restore(),kt(e,a,t)):(At(i,o),kt(e,a,t)),(c||l||f)&&d.restore()}function kt(e,t,n){n>0&&(t instanceof Map?t.forEach((e,t)=>{d.strokeStyle=ct=t,d.stroke(e)}):t!=null&&e&&d.stroke(t))}function At(e,t){t instanceof Map?t.forEach((e,t)=>{d.fillStyle=lt=t,d.fill(e)}):t!=null&&e&&d.fill(t)}function jt(e,t,n,i){let a=y[e],o;if(i<=0)o=[0,0];else{let s=a._space=a.space(r,e,t,n,i);o=TS(t,n,a._incrs=a.incrs(r,e,t,n,i,s),i,s)}return a._found=o}function Mt(e,t,n,r,i,a,o,s,c,l){let u=o%2/2;h==1&&d.translate(u,u),vt(s,o,c,l,s),d.beginPath();let f,p,m,g,_=i+(r==0||r==3?-a:a);n==0?(p=i,g=_):(f=i,m=_);for(let r=0;r<e.length;r++)t[r]!=null&&(n==0?f=m=e[r]:p=g=e[r],d.moveTo(f,p),d.lineTo(m,g));d.stroke(),h==1&&d.translate(-u,-u)}function Nt(e){let t=!0;return y.forEach((n,i)=>{if(!n.show)return;let a=b[n.scale];if(a.min==null){n._show&&(t=!1,n._show=!1,It(!1));return}n._show||(t=!1,n._show=!0,It(!1));let o=n.side,s=o%2,{min:c,max:l}=a,[u,d]=jt(i,c,l,s==0?H:U);if(d==0)return;let f=a.distr==2,p=n._splits=n.splits(r,i,c,l,u,d,f),m=a.distr==2?p.map(e=>it[e]):p,h=a.distr==2?it[p[1]]-it[p[0]]:u,g=n._values=n.values(r,n.filter(r,m,i,d,h),i,d,h);n._rotate=o==2?n.rotate(r,g,i,d):0;let _=n._size;n._size=ty(n.size(r,g,i,e)),_!=null&&n._size!=_&&(t=!1)}),t}function Pt(e){let t=!0;return Qe.forEach((n,i)=>{let a=n(r,i,Ye,e);a!=$e[i]&&(t=!1),$e[i]=a}),t}function Ft(){for(let e=0;e<y.length;e++){let t=y[e];if(!t.show||!t._show)continue;let n=t.side,i=n%2,a,o,c=t.stroke(r,e),l=n==0||n==3?-1:1,[u,f]=t._found;if(t.label!=null){let s=t.labelGap*l,p=ey((t._lpos+s)*pv);yt(t.labelFont[0],c,`center`,n==2?K_:q_),d.save(),i==1?(a=o=0,d.translate(p,ey(Se+we/2)),d.rotate((n==3?-Zv:Zv)/2)):(a=ey(xe+Ce/2),o=p);let m=py(t.label)?t.label(r,e,u,f):t.label;d.fillText(m,a,o),d.restore()}if(f==0)continue;let p=b[t.scale],m=i==0?Ce:we,h=i==0?xe:Se,_=t._splits,v=p.distr==2?_.map(e=>it[e]):_,x=p.distr==2?it[_[1]]-it[_[0]]:u,S=t.ticks,C=t.border,w=S.show?S.size:0,T=ey(w*pv),E=ey((t.alignTo==2?t._size-w-t.gap:t.gap)*pv),D=t._rotate*-Zv/180,O=g(t._pos*pv),k=O+(T+E)*l;o=i==0?k:0,a=i==1?k:0;let A=t.font[0];yt(A,c,t.align==1?J_:t.align==2?Y_:D>0?J_:D<0?Y_:i==0?`center`:n==3?Y_:J_,D||i==1?`middle`:n==2?K_:q_);let j=t.font[1]*t.lineGap,M=_.map(e=>g(s(e,p,m,h))),N=t._values;for(let e=0;e<N.length;e++){let t=N[e];if(t!=null){i==0?a=M[e]:o=M[e],t=``+t;let n=t.indexOf(`
`)==-1?[t]:t.split(/\n/gm);for(let e=0;e<n.length;e++){let t=n[e];D?(d.save(),d.translate(a,o+e*j),d.rotate(D),d.fillText(t,0,0),d.restore()):d.fillText(t,a,o+e*j)}}}S.show&&Mt(M,S.filter(r,v,e,f,x),i,n,O,T,Ey(S.width*pv,3),S.stroke(r,e),S.dash,S.cap);let P=t.grid;P.show&&Mt(M,P.filter(r,v,e,f,x),i,i==0?2:1,i==0?Se:xe,i==0?we:Ce,Ey(P.width*pv,3),P.stroke(r,e),P.dash,P.cap),C.show&&Mt([O],[1],+(i==0),i==0?1:2,i==1?Se:xe,i==1?we:Ce,Ey(C.width*pv,3),C.stroke(r,e),C.dash,C.cap)}Xn(`drawAxes`)}function It(e){v.forEach((t,n)=>{n>0&&(t._paths=null,e&&(i==1?(t.min=null,t.max=null):t.facets.forEach(e=>{e.min=null,e.max=null})))})}let Lt=!1,Rt=!1,zt=[];function Bt(){Rt=!1;for(let e=0;e<zt.length;e++)Xn(...zt[e]);zt.length=0}function Vt(){Lt||=(Jy(Ut),!0)}function Ht(e,t=!1){Lt=!0,Rt=t,e(r),Ut(),t&&zt.length>0&&queueMicrotask(Bt)}r.batch=Ht;function Ut(){if(Te&&=(St(),!1),De&&=(Ne(),!1),Ee){if(vv(p,J_,ve),vv(p,K_,W),vv(p,W_,H),vv(p,G_,U),vv(m,J_,ve),vv(m,K_,W),vv(m,W_,H),vv(m,G_,U),vv(f,W_,_e),vv(f,G_,V),u.width=ey(_e*pv),u.height=ey(V*pv),y.forEach(({_el:e,_show:t,_size:n,_pos:r,side:i})=>{if(e!=null){if(t){let t=i===3||i===0?n:0,a=i%2==1;vv(e,a?`left`:`top`,r-t),vv(e,a?`width`:`height`,n),vv(e,a?`top`:`left`,a?W:ve),vv(e,a?`height`:`width`,a?U:H),_v(e,M_)}else gv(e,M_)}}),ct=lt=ut=ft=pt=mt=ht=gt=dt=null,_t=1,Pn(!0),ve!=ye||W!=G||H!=K||U!=be){It(!1);let e=H/K,t=U/be;if(ne&&!Oe&&R.left>=0){R.left*=e,R.top*=t,qt&&Sv(qt,ey(R.left),0,H,U),Jt&&Sv(Jt,0,ey(R.top),H,U);for(let n=0;n<He.length;n++){let r=He[n];r!=null&&(Ue[n]*=e,We[n]*=t,Sv(r,ty(Ue[n]),ty(We[n]),H,U))}}if(cn.show&&!ke&&cn.left>=0&&cn.width>0){cn.left*=e,cn.width*=e,cn.top*=t,cn.height*=t;for(let e in Ln)vv(ln,e,cn[e])}ye=ve,G=W,K=H,be=U}Xn(`setSize`),Ee=!1}_e>0&&V>0&&(d.clearRect(0,0,u.width,u.height),Xn(`drawClear`),w.forEach(e=>e()),Xn(`draw`)),cn.show&&ke&&(un(cn),ke=!1),ne&&Oe&&(Mn(null,!0,!1),Oe=!1),L.show&&L.live&&Ae&&(An(),Ae=!1),c||(c=!0,r.status=1,Xn(`ready`)),at=!1,Lt=!1}r.redraw=(e,t)=>{De=t||!1,e===!1?Vt():fn(S,D.min,D.max)};function Wt(e,n){let i=b[e];if(i.from==null){if(et==0){let t=i.range(r,n.min,n.max,e);n.min=t[0],n.max=t[1]}if(n.min>n.max){let e=n.min;n.min=n.max,n.max=e}if(et>1&&n.min!=null&&n.max!=null&&n.max-n.min<1e-16)return;e==S&&i.distr==2&&et>0&&(n.min=jv(n.min,t[0]),n.max=jv(n.max,t[0]),n.min==n.max&&n.max++),j[e]=n,Te=!0,Vt()}}r.setScale=Wt;let Gt,Kt,qt,Jt,Yt,Xt,Zt,Qt,$t,en,tn,nn,rn=!1,an=R.drag,on=an.x,sn=an.y;ne&&(R.x&&(Gt=bv(P_,m)),R.y&&(Kt=bv(F_,m)),D.ori==0?(qt=Gt,Jt=Kt):(qt=Kt,Jt=Gt),tn=R.left,nn=R.top);let cn=r.select=Hy({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),ln=cn.show?bv(N_,cn.over?m:p):null;function un(e,t){if(cn.show){for(let t in e)cn[t]=e[t],t in Ln&&vv(ln,t,e[t]);t!==!1&&Xn(`setSelect`)}}r.setSelect=un;function dn(e){if(v[e].show)te&&_v(ae[e],M_);else if(te&&gv(ae[e],M_),ne){let t=Ve?He[0]:He[e];t!=null&&Sv(t,-10,-10,H,U)}}function fn(e,t,n){Wt(e,{min:t,max:n})}function pn(e,t,n,a){t.focus!=null&&Sn(e),t.show!=null&&v.forEach((n,r)=>{r>0&&(e==r||e==null)&&(n.show=t.show,dn(r),i==2?(fn(n.facets[0].scale,null,null),fn(n.facets[1].scale,null,null)):fn(n.scale,null,null),Vt())}),n!==!1&&Xn(`setSeries`,e,t),a&&tr(`setSeries`,r,e,t)}r.setSeries=pn;function mn(e,t){Hy(x[e],t)}function hn(e,t){e.fill=my(e.fill||null),e.dir=Gv(e.dir,-1),t??=x.length,x.splice(t,0,e)}function gn(e){e==null?x.length=0:x.splice(e,1)}r.addBand=hn,r.setBand=mn,r.delBand=gn;function _n(e,t){v[e].alpha=t,ne&&He[e]!=null&&(He[e].style.opacity=t),te&&ae[e]&&(ae[e].style.opacity=t)}let vn,yn,bn,xn={focus:!0};function Sn(e){if(e!=bn){let t=e==null,n=ze.alpha!=1;v.forEach((r,a)=>{if(i==1||a>0){let i=t||a==0||a==e;r._focus=t?null:i,n&&_n(a,i?1:ze.alpha)}}),bn=e,n&&Vt()}}te&&Be&&he(nv,B,e=>{R._lock||(Le(e),bn!=null&&pn(null,xn,!0,Qn.setSeries))});function Cn(e,t,n){let r=b[t];n&&(e=e/pv-(r.ori==1?W:ve));let i=H;r.ori==1&&(i=U,e=i-e),r.dir==-1&&(e=i-e);let a=r._min,o=r._max,s=e/i,c=a+(o-a)*s,l=r.distr;return l==3?iy(10,c):l==4?cy(c,r.asinh):l==100?r.bwd(c):c}function wn(e,n){return jv(Cn(e,S,n),t[0],tt,nt)}r.valToIdx=e=>jv(e,t[0]),r.posToIdx=wn,r.posToVal=Cn,r.valToPos=(e,t,n)=>b[t].ori==0?a(e,b[t],n?Ce:H,n?xe:0):o(e,b[t],n?we:U,n?Se:0),r.setCursor=(e,t,n)=>{tn=e.left,nn=e.top,Mn(null,t,n)};function Tn(e,t){vv(ln,J_,cn.left=e),vv(ln,W_,cn.width=t)}function En(e,t){vv(ln,K_,cn.top=e),vv(ln,G_,cn.height=t)}let Dn=D.ori==0?Tn:En,On=D.ori==1?Tn:En;function kn(){if(te&&L.live)for(let e=+(i==2);e<v.length;e++){if(e==0&&ce)continue;let t=L.values[e],n=0;for(let r in t)oe[e][n++].firstChild.nodeValue=t[r]}}function An(e,t){if(e!=null&&(e.idxs?e.idxs.forEach((e,t)=>{ee[t]=e}):Fy(e.idx)||ee.fill(e.idx),L.idx=ee[0]),te&&L.live){for(let e=0;e<v.length;e++)(e>0||i==1&&!ce)&&jn(e,ee[e]);kn()}Ae=!1,t!==!1&&Xn(`setLegend`)}r.setLegend=An;function jn(e,n){let i=v[e],a=e==0&&O==2?it:t[e],o;ce?o=i.values(r,e,n)??le:(o=i.value(r,n==null?null:a[n],e,n),o=o==null?le:{_:o}),L.values[e]=o}function Mn(e,n,a){$t=tn,en=nn,[tn,nn]=R.move(r,tn,nn),R.left=tn,R.top=nn,ne&&(qt&&Sv(qt,ey(tn),0,H,U),Jt&&Sv(Jt,0,ey(nn),H,U));let o,s=tt>nt;vn=uy,yn=null;let c=D.ori==0?H:U,l=D.ori==1?H:U;if(tn<0||et==0||s){o=R.idx=null;for(let e=0;e<v.length;e++){let t=He[e];t!=null&&Sv(t,-10,-10,H,U)}Be&&pn(null,xn,!0,e==null&&Qn.setSeries),L.live&&(ee.fill(o),Ae=!0)}else{let e,n,a;i==1&&(e=D.ori==0?tn:nn,n=Cn(e,S),o=R.idx=jv(n,t[0],tt,nt),a=k(t[0][o],D,c,0));let s=-10,u=-10,d=0,f=0,p=!0,m=``,h=``;for(let e=+(i==2);e<v.length;e++){let g=v[e],_=ee[e],y=_==null?null:i==1?t[e][_]:t[e][1][_],x=R.dataIdx(r,e,o,n),S=x==null?null:i==1?t[e][x]:t[e][1][x];if(Ae=Ae||S!=y||x!=_,ee[e]=x,e>0&&g.show){let n=x==null?-10:x==o?a:k(i==1?t[0][x]:t[e][0][x],D,c,0),_=S==null?-10:A(S,i==1?b[g.scale]:b[g.facets[1].scale],l,0);if(Be&&S!=null){let t=D.ori==1?tn:nn,n=Qv(ze.dist(r,e,x,_,t));if(n<vn){let r=ze.bias;if(r!=0){let i=Cn(t,g.scale),a=S>=0?1:-1,o=i>=0?1:-1;o==a&&(o==1?r==1?S>=i:S<=i:r==1?S<=i:S>=i)&&(vn=n,yn=e)}else vn=n,yn=e}}if(Ae||Ve){let t,i;D.ori==0?(t=n,i=_):(t=_,i=n);let a,o,c,l,g,v,y=!0,b=Re.bbox;if(b!=null){y=!1;let t=b(r,e);c=t.left,l=t.top,a=t.width,o=t.height}else c=t,l=i,a=o=Re.size(r,e);if(v=Re.fill(r,e),g=Re.stroke(r,e),Ve)e==yn&&vn<=ze.prox&&(s=c,u=l,d=a,f=o,p=y,m=v,h=g);else{let t=He[e];t!=null&&(Ue[e]=c,We[e]=l,Ev(t,a,o,y),wv(t,v,g),Sv(t,ty(c),ty(l),H,U))}}}}if(Ve){let e=ze.prox;if(Ae||(bn==null?vn<=e:vn>e||yn!=bn)){let e=He[0];e!=null&&(Ue[0]=s,We[0]=u,Ev(e,d,f,p),wv(e,m,h),Sv(e,ty(s),ty(u),H,U))}}}if(cn.show&&rn){if(e!=null){let[t,n]=Qn.scales,[r,i]=Qn.match,[a,o]=e.cursor.sync.scales,s=e.cursor.drag;if(on=s._x,sn=s._y,on||sn){let{left:s,top:u,width:d,height:f}=e.select,p=e.scales[a].ori,m=e.posToVal,h,g,_,v,y,x=t!=null&&r(t,a),S=n!=null&&i(n,o);x&&on?(p==0?(h=s,g=d):(h=u,g=f),_=b[t],v=k(m(h,a),_,c,0),y=k(m(h+g,a),_,c,0),Dn(ny(v,y),Qv(y-v))):Dn(0,c),S&&sn?(p==1?(h=s,g=d):(h=u,g=f),_=b[n],v=A(m(h,o),_,l,0),y=A(m(h+g,o),_,l,0),On(ny(v,y),Qv(y-v))):On(0,l)}else Rn()}else{let e=Qv($t-Yt),t=Qv(en-Xt);if(D.ori==1){let n=e;e=t,t=n}on=an.x&&e>=an.dist,sn=an.y&&t>=an.dist;let n=an.uni;n==null?an.x&&an.y&&(on||sn)&&(on=sn=!0):on&&sn&&(on=e>=n,sn=t>=n,!on&&!sn&&(t>e?sn=!0:on=!0));let r,i;on&&(D.ori==0?(r=Zt,i=tn):(r=Qt,i=nn),Dn(ny(r,i),Qv(i-r)),sn||On(0,l)),sn&&(D.ori==1?(r=Zt,i=tn):(r=Qt,i=nn),On(ny(r,i),Qv(i-r)),on||Dn(0,c)),!on&&!sn&&(Dn(0,0),On(0,0))}}if(an._x=on,an._y=sn,e==null){if(a){if($n!=null){let[e,t]=Qn.scales;Qn.values[0]=e==null?null:Cn(D.ori==0?tn:nn,e),Qn.values[1]=t==null?null:Cn(D.ori==1?tn:nn,t)}tr(Q_,r,tn,nn,H,U,o)}if(Be){let e=a&&Qn.setSeries,t=ze.prox;bn==null?vn<=t&&pn(yn,xn,!0,e):vn>t?pn(null,xn,!0,e):yn!=bn&&pn(yn,xn,!0,e)}}Ae&&(L.idx=o,An()),n!==!1&&Xn(`setCursor`)}let Nn=null;Object.defineProperty(r,"rect",{get(){return Nn??Pn(!1),Nn}});function Pn(e=!1){e?Nn=null:(Nn=m.getBoundingClientRect(),Xn(`syncRect`,Nn))}function Fn(e,t,n,r,i,a,o){R._lock||rn&&e!=null&&e.movementX==0&&e.movementY==0||(In(e,t,n,r,i,a,o,!1,e!=null),e==null?Mn(t,!0,!1):Mn(null,!0,!0))}function In(e,t,n,i,a,o,c,l,u){if(Nn??Pn(!1),Le(e),e!=null)n=e.clientX-Nn.left,i=e.clientY-Nn.top;else{if(n<0||i<0){tn=-10,nn=-10;return}let[e,r]=Qn.scales,c=t.cursor.sync,[l,u]=c.values,[d,f]=c.scales,[p,m]=Qn.match,h=t.axes[0].side%2==1,g=D.ori==0?H:U,_=D.ori==1?H:U,v=h?o:a,y=h?a:o,x=h?i:n,S=h?n:i;if(n=d==null?x/v*g:p(e,d)?s(l,b[e],g,0):-10,i=f==null?S/y*_:m(r,f)?s(u,b[r],_,0):-10,D.ori==1){let e=n;n=i,i=e}}u&&(t==null||t.cursor.event.type==Q_)&&((n<=1||n>=H-1)&&(n=Cy(n,H)),(i<=1||i>=U-1)&&(i=Cy(i,U))),l?(Yt=n,Xt=i,[Zt,Qt]=R.move(r,n,i)):(tn=n,nn=i)}let Ln={width:0,height:0,left:0,top:0};function Rn(){un(Ln,!1)}let zn,Bn,Vn,Hn;function Un(e,t,n,i,a,o,s){rn=!0,on=sn=an._x=an._y=!1,In(e,t,n,i,a,o,s,!0,!1),e!=null&&(he(ev,uv,Wn,!1),tr($_,r,Zt,Qt,H,U,null));let{left:c,top:l,width:u,height:d}=cn;zn=c,Bn=l,Vn=u,Hn=d}function Wn(e,t,n,i,a,o,s){rn=an._x=an._y=!1,In(e,t,n,i,a,o,s,!1,!0);let{left:c,top:l,width:u,height:d}=cn,f=u>0||d>0,p=zn!=c||Bn!=l||Vn!=u||Hn!=d;if(f&&p&&un(cn),an.setScale&&f&&p){let e=c,t=u,n=l,r=d;if(D.ori==1&&(e=l,t=d,n=c,r=u),on&&fn(S,Cn(e,S),Cn(e+t,S)),sn)for(let e in b){let t=b[e];e!=S&&t.from==null&&t.min!=uy&&fn(e,Cn(n+r,e),Cn(n,e))}Rn()}else R.lock&&(R._lock=!R._lock,Mn(t,!0,e!=null));e!=null&&(ge(ev,uv),tr(ev,r,tn,nn,H,U,null))}function Gn(e,t,n,r,i,a,o){if(R._lock)return;Le(e);let s=rn;if(rn){let e=!0,t=!0,n,r;D.ori==0?(n=on,r=sn):(n=sn,r=on),n&&r&&(e=tn<=10||tn>=H-10,t=nn<=10||nn>=U-10),n&&e&&(tn=tn<Zt?0:H),r&&t&&(nn=nn<Qt?0:U),Mn(null,!0,!0),rn=!1}tn=-10,nn=-10,ee.fill(null),Mn(null,!0,!0),s&&(rn=s)}function Kn(e,t,n,i,a,o,s){R._lock||(Le(e),st(),Rn(),e!=null&&tr(rv,r,tn,nn,H,U,null))}function qn(){y.forEach(DS),je(r.width,r.height,!0)}kv(sv,dv,qn);let Jn={};Jn.mousedown=Un,Jn.mousemove=Fn,Jn.mouseup=Wn,Jn.dblclick=Kn,Jn.setSeries=(e,t,n,i)=>{let a=Qn.match[2];n=a(r,t,n),n!=-1&&pn(n,i,!0,!1)},ne&&(he($_,m,Un),he(Q_,m,Fn),he(tv,m,e=>{Le(e),Pn(!1)}),he(nv,m,Gn),he(rv,m,Kn),dS.add(r),r.syncRect=Pn);let Yn=r.hooks=e.hooks||{};function Xn(e,t,n){Rt?zt.push([e,t,n]):e in Yn&&Yn[e].forEach(e=>{e.call(null,r,t,n)})}(e.plugins||[]).forEach(e=>{for(let t in e.hooks)Yn[t]=(Yn[t]||[]).concat(e.hooks[t])});let Zn=(e,t,n)=>n,Qn=Hy({key:null,setSeries:!1,filters:{pub:yy,sub:yy},scales:[S,v[1]?v[1].scale:null],match:[by,by,Zn],values:[null,null]},R.sync);Qn.match.length==2&&Qn.match.push(Zn),R.sync=Qn;let $n=Qn.key,er=Mx($n);function tr(e,t,n,r,i,a,o){Qn.filters.pub(e,t,n,r,i,a,o)&&er.pub(e,t,n,r,i,a,o)}er.sub(r);function nr(e,t,n,r,i,a,o){Qn.filters.sub(e,t,n,r,i,a,o)&&Jn[e](null,t,n,r,i,a,o)}r.pub=nr;function rr(){er.unsub(r),dS.delete(r),me.clear(),Av(sv,dv,qn),l.remove(),B?.remove(),Xn(`destroy`)}r.destroy=rr;function ir(){Xn(`init`,e,t),ot(t||e.data,!1),j[S]?Wt(S,j[S]):st(),ke=cn.show&&(cn.width>0||cn.height>0),Oe=Ae=!0,je(e.width,e.height)}return v.forEach(Ke),y.forEach(Xe),n?n instanceof HTMLElement?(n.appendChild(l),ir()):n(r,ir):ir(),r}OS.assign=Hy,OS.fmtNum=Yv,OS.rangeNum=Wv,OS.rangeLog=Rv,OS.rangeAsinh=zv,OS.orient=Fx,OS.pxRatio=pv,OS.join=qy,OS.fmtDate=ob,OS.tzDate=cb,OS.sync=Mx;{OS.addGap=Bx,OS.clipGaps=zx;let e=OS.paths={points:eS};e.linear=iS,e.stepped=aS,e.bars=sS,e.spline=lS}var kS=class{element=e(`div`,{class:`chart-key`});show(t,r){let i=r.map(t=>e(`span`,{class:`item`},AS(t),`${t.label} `,e(`strong`,{},t.value)));n(this.element,e(`span`,{class:`when`},t),...i)}};function AS({color:e,dash:t}){let n={x1:0,x2:18,y1:4,y2:4,stroke:e,"stroke-width":2.5,"stroke-dasharray":t.join(` `)},r=i(`svg`,{class:`sample`,width:18,height:8,"aria-hidden":`true`});return r.append(i(`line`,n)),r}function jS(e){if(e.length<2)return e;let t=e.map(e=>e.split(/(?<=[-_ /.])/)),n=0;for(;t.every(e=>n<e.length-1&&e[n]===t[0][n]);)n++;return t.map(e=>e.slice(n).join(``))}var MS=104,NS=56,PS=14,FS=[4,3],IS=class{element=e(`div`,{class:`chart`});key=new kS;plotBox=e(`div`,{});curves=[];context;series;band=e(`div`,{class:`band`});go;resizing=new ResizeObserver(()=>this.resize());plot=null;constructor(e,t,n){this.context=e,this.series=t,this.go=n,this.key.element.classList.toggle(`of-two`,e.runs.length>1),this.element.append(this.plotBox,this.key.element),this.resizing.observe(this.element)}dispose(){this.resizing.disconnect(),this.plot?.destroy()}update(e){let t=[`selection`,`data`,`run`].some(t=>e.has(t));(t||e.has(`theme`)||!this.plot)&&(this.curves=this.findCurves()),e.has(`theme`)||!this.plot?this.build():t&&this.plot.setData(this.data()),this.place()}resize(){let{clientWidth:e}=this.element;e>0&&this.plot?.setSize({width:e,height:MS}),this.place()}get end(){return this.series.end[this.series.rows-1]}get unit(){return this.context.longest.facts.machine.cycle_seconds??1}data(){let{series:e}=this;return[Array.from(e.start,(t,n)=>(t+e.end[n])/2*this.unit),...this.curves.map(({values:e})=>e)]}findCurves(){let{series:e}=this,{longest:t,runs:n,run:r}=this.context,i=n.find(e=>e!==t),a=t=>(e.end[t]-e.start[t])*this.unit,o=e.column(`packets_delivered`),s=e.column(`packets_in_flight`),c=t.facts.machine.cycle_seconds!==null,l={scale:`share`,width:1.25,dash:[],text:e=>Lr(e/100)},u={width:1.25,dash:[],text:Ir},d=(e,t)=>({...l,label:t,color:`--curve-1`,values:this.sampled(e,t=>e.series?.column(`utilization`)?.[t],100),whole:typeof e.summary.link_utilization_mean==`number`?100*e.summary.link_utilization_mean:null}),f=jS(n.map(({name:e})=>e)),p=e=>i?` ${f[n.indexOf(e)].slice(0,24)}`:``;return[d(t,`Mean utilization${p(t)}`),...i?[{...d(i,`Mean utilization${p(i)}`),color:`--other-1`,dash:FS}]:[],{...l,label:`Selected link`,color:`--curve-4`,width:1.75,values:this.sampled(r,e=>this.valueOfSelected(e),100),whole:this.wholeOfSelected()},{...u,label:c?`Packets/s`:`Packets/cycle`,scale:`rate`,color:`--curve-2`,values:this.sampled(t,e=>o&&o[e]/a(e))},{...u,label:`Packets in flight`,scale:`flight`,color:`--curve-3`,values:this.sampled(t,e=>s?.[e])}]}sampled(e,t,n=1){let{series:r,context:i}=this;return Array.from({length:r.rows},(r,a)=>{let o=e&&i.rowOf(e,a),s=o==null?null:t(o);return s==null?null:n*s})}get selectedLink(){let{state:e,run:t}=this.context,{selection:n}=e;return n&&`link`in n&&!t.isDead(n.link)?n.link:null}valueOfSelected(e){let{selectedLink:t}=this;return t===null?null:this.context.run.linkSeries?.value(e,t)??null}wholeOfSelected(){let{selectedLink:e}=this;return e===null?null:100*this.context.run.quantity(`utilization`).whole[e]}setKey(){if(!this.plot)return;let{left:e=-1,idx:t}=this.plot.cursor,n=e>=0&&typeof t==`number`?t:this.context.state.time,r=getComputedStyle(this.element),i=this.curves.filter(({values:e})=>e.some(e=>e!==null)).map(e=>{let t=n===null?e.whole??this.meanOf(e):e.values[n],{label:i,color:a,dash:o,text:s}=e;return{label:i,dash:o,color:r.getPropertyValue(a),value:t==null?`–`:s(t)}});this.key.show(n===null?`Means of the run:`:`At ${this.timeOf(n)}${this.phaseAt(n)}:`,i)}phaseAt(e){let t=(this.series.start[e]+this.series.end[e])/2,n=this.context.longest.facts.phases.filter(({cycle:e})=>e<=t).at(-1);return n?` (after ${n.name})`:``}timeOf(e){let t=(this.series.start[e]+this.series.end[e])/2;return this.context.time(t)}meanOf({values:e}){let{series:t}=this,{start_cycle:n,end_cycle:r}=this.context.longest.facts.measured,[i,a]=[0,0];return e.forEach((e,o)=>{let s=Math.min(t.end[o],r)-Math.max(t.start[o],n);e===null||s<=0||(i+=s*e,a+=s)}),a>0?i/a:null}build(){this.plot?.destroy();let e=getComputedStyle(this.element),t=t=>e.getPropertyValue(t).trim()||`gray`,n=this.context.longest.facts.machine.cycle_seconds!==null,r=e=>e===null?`–`:n?zr(e):q(Math.round(e)),i={stroke:t(`--quiet`),grid:{stroke:t(`--line`),width:1},ticks:{show:!1},font:`11px system-ui`},a=({label:e,scale:n,color:r,width:i,dash:a})=>({label:e,scale:n,stroke:t(r),width:i,dash:a,points:{show:!1}}),o={width:Math.max(200,this.element.clientWidth),height:MS,padding:[6,0,0,0],cursor:{y:!1,points:{show:!1},drag:{x:!1,y:!1}},scales:{x:{time:!1,range:()=>[this.series.start[0]*this.unit,this.end*this.unit]},share:{range:(e,t,n)=>[0,Math.max(1,n*1.05)]},rate:{range:(e,t,n)=>[0,n||1]},flight:{range:(e,t,n)=>[0,n||1]}},axes:[{...i,size:22,space:90,values:(e,t)=>t.map(e=>r(e))},{...i,scale:`share`,size:NS,space:26,values:(e,t)=>t.map(e=>`${e} %`)},{...i,scale:`flight`,side:1,size:42,space:26,grid:{show:!1},label:`in flight`,labelSize:PS,labelFont:`11px system-ui`,stroke:t(`--curve-3`),values:(e,t)=>t.map(e=>Ir(e))}],series:[{},...this.curves.map(a)],legend:{show:!1},hooks:{ready:[e=>this.ready(e)],draw:[e=>this.drawPhases(e,t(`--quiet`)),()=>this.place()],setCursor:[()=>this.setKey()]}};this.plot=new OS(o,this.data(),this.plotBox)}ready(e){e.over.append(this.band);let t=t=>{let n=e.over.getBoundingClientRect(),r=e.posToVal(t.clientX-n.left,`x`)/this.unit;this.go(this.series.rowAt(Math.max(0,r))??this.series.rows-1)};e.over.addEventListener(`pointerdown`,n=>{e.over.setPointerCapture(n.pointerId),t(n)}),e.over.addEventListener(`pointermove`,e=>{e.buttons&1&&t(e)})}drawPhases(e,t){let{ctx:n,bbox:r}=e;n.save(),n.strokeStyle=n.fillStyle=t,n.font=`${10*devicePixelRatio}px system-ui`,n.setLineDash([3*devicePixelRatio,3*devicePixelRatio]);let{phases:i}=this.context.longest.facts,a=jS(i.map(({name:e})=>e)).map((e,t)=>t===0?i[0].name:e),o=r.left+r.width,s=-1/0;i.forEach(({cycle:t},i)=>{let c=e.valToPos(t*this.unit,`x`,!0);if(c<r.left||c>o)return;n.beginPath(),n.moveTo(c,r.top),n.lineTo(c,r.top+r.height),n.stroke();let l=n.measureText(a[i]).width+6*devicePixelRatio,u=Math.min(c,o-l);u<s||(s=u+l,this.drawName(e,a[i],u,l))}),n.restore()}drawName({ctx:e,bbox:t},n,r,i){let a=e.fillStyle;e.fillStyle=getComputedStyle(this.element).getPropertyValue(`--ground`),e.fillRect(r+devicePixelRatio,t.top,i-2*devicePixelRatio,13*devicePixelRatio),e.fillStyle=a,e.fillText(n,r+3*devicePixelRatio,t.top+10*devicePixelRatio)}place(){let{plot:e,context:t,series:n,band:r}=this;if(!e)return;let{time:i}=t.state,{measured:a}=t.longest.facts,[o,s]=i===null?[a.start_cycle,a.end_cycle]:[n.start[i],n.end[i]],c=t=>e.valToPos(t*this.unit,`x`),[l,u]=[Math.max(0,c(o)),Math.min(e.over.clientWidth,c(s))];r.style.left=`${l}px`,r.style.width=`${Math.max(2,u-l)}px`,this.setKey(),r.classList.toggle(`window`,i===null)}},LS=12;function RS(t){let{series:r,store:i}=t;if(!r)return null;let a=r.rows,s=e(`input`,{type:`range`,min:0,max:a,step:1,"aria-label":`Time: rows of the series; the last position is the whole run`,oninput:()=>l(Number(s.value))}),c=e(`output`,{class:`moment`}),l=e=>i.set({time:e>=a?null:Math.max(0,e)}),u=()=>t.state.time??a,d=e=>l(Math.min(a,Math.max(0,u()+e))),f=new S_(LS,()=>{u()>=a-1&&l(0)},()=>(d(1),u()<a-1)),p=o(`Whole run`,`Exact values of the whole measured window (0)`,()=>l(a)),m=e(`div`,{class:`time-bar`},o(`‹`,`One row back (comma)`,()=>d(-1)),f.button,o(`›`,`One row on (period)`,()=>d(1)),p,c),h=new IS(t,r,l);return{element:e(`section`,{class:`time`,"aria-label":`Time`},m,e(`div`,{class:`time-slider`},s),h.element),update:e=>{s.value=String(u());let i=zS(t,r);s.setAttribute(`aria-valuetext`,i),n(c,i),c.title=i,p.disabled=t.state.time===null,h.update(e)},step:d,togglePlay:()=>f.toggle(),dispose:()=>{f.stop(),h.dispose()}}}function zS(e,t){let{time:n}=e.state;if(n===null){let{start_cycle:t,end_cycle:n}=e.run.facts.measured;return`Whole run, ${e.time(t)} to ${e.time(n)}`}let[r,i]=[t.start[n],t.end[n]],a=`cycles ${q(r)} to ${q(i)}`;return e.longest.facts.machine.cycle_seconds===null?a:`${e.time(r)} to ${e.time(i)} (${a})`}var BS=12e3,VS=class{element;canvas;ground={color:[13,17,23]};isSoftware=JS();sceneries=[];projections=[];isSmoothed;renderer;overlay;orbit;events;resizing;camera;frame=0;constructor(t,n,r){this.orbit=new zh(t),this.camera=t,this.events=r,this.isSmoothed=!this.isSoftware||n<=BS,this.canvas=e(`canvas`,{}),this.renderer=new em({canvas:this.canvas,antialias:this.isSmoothed,alpha:!0}),this.renderer.setPixelRatio(this.isSoftware?1:Math.min(2,window.devicePixelRatio)),this.renderer.autoClear=!1,this.renderer.info.autoReset=!0,this.overlay=i(`svg`,{class:`overlay`,"aria-hidden":`true`}),this.element=e(`div`,{class:`picture`,tabindex:0,role:`application`},this.canvas),this.element.append(this.overlay),this.resizing=new ResizeObserver(()=>this.resize()),this.resizing.observe(this.element),this.listen()}setCamera(e){this.camera=e,this.request()}setSceneries(e){this.sceneries=e;let t=e.map(({stage:e})=>e.layout).filter(e=>!e.isEmpty);t.length>0&&this.orbit.show(qS(t)),this.request()}request(){this.frame||=requestAnimationFrame(()=>this.draw())}draw(){cancelAnimationFrame(this.frame),this.frame=0;let{renderer:e,orbit:t}=this;e.setScissorTest(!1),e.clear(),e.setScissorTest(!0);let n=this.element.clientHeight;this.projections=this.areas().map((r,i)=>{let a=t.place(this.camera,r),{stage:o}=this.sceneries[i];o.aim(a,e.getPixelRatio()),this.isSmoothed||o.recolor(e,t.camera,a);let s=n-r.y-r.height;return e.setViewport(r.x,s,r.width,r.height),e.setScissor(r.x,s,r.width,r.height),e.render(o.scene,t.camera),a}),this.write()}drawFinely(e,t){let{renderer:n,element:r}=this,i=n.getPixelRatio(),a=e=>{n.setPixelRatio(e),n.setSize(r.clientWidth,r.clientHeight,!1),this.draw()};a(Math.max(i,e)),t(this.canvas),a(i)}drawAndWait(){this.draw();let e=this.renderer.getContext();e.readPixels(0,0,1,1,e.RGBA,e.UNSIGNED_BYTE,new Uint8Array(4))}areas(){let{clientWidth:e,clientHeight:t}=this.element,n=this.sceneries.length,r=e/Math.max(1,n);return this.sceneries.map((e,n)=>({x:n*r,y:0,width:r,height:t}))}resize(){let{clientWidth:e,clientHeight:t}=this.element;e!==0&&t!==0&&(this.events.onHover(null),this.renderer.setSize(e,t,!1),this.draw())}write(){n(this.overlay,...this.overlayParts())}overlayParts(){return this.sceneries.flatMap(({labels:e,halos:t,title:n},r)=>{let a=this.projections[r],o=HS(e,a).map(({label:e,place:[t,n]})=>i(`text`,{x:t.toFixed(1),y:n.toFixed(1),class:e.kind},e.text)),s=t.map(({at:e,radius:t})=>{let n=a.project(...e),r=n&&Math.max(7,t*a.scale/n[2]);return n&&i(`circle`,{cx:n[0],cy:n[1],r:r.toFixed(1),class:`halo`})}),{area:c}=a,l=n?[i(`text`,{x:c.x+c.width/2,y:24,class:`title`},n)]:[],u=r>0?[i(`line`,{x1:c.x,x2:c.x,y1:0,y2:c.height,class:`divider`})]:[];return[...o,...s,...l,...u].filter(e=>e!==null)})}pointedAt(e,t){let n=this.projections.findIndex(({area:t})=>e>=t.x&&e<t.x+t.width),r=n<0?null:this.sceneries[n].stage.pick(this.projections[n],e,t);return r&&{stage:n,hit:r,x:e,y:t}}listen(){let{element:e}=this,t=new Map,n=0;e.addEventListener(`pointerdown`,r=>{e.setPointerCapture(r.pointerId),t.set(r.pointerId,r),n=0}),e.addEventListener(`pointermove`,e=>{let r=t.get(e.pointerId);if(!r){this.hover(e);return}let[i,a]=[e.clientX-r.clientX,e.clientY-r.clientY];n+=Math.abs(i)+Math.abs(a),n>4&&this.drag(t,e,i,a),t.set(e.pointerId,e)}),e.addEventListener(`pointerup`,e=>{t.delete(e.pointerId),n<=4&&this.events.onPick(this.pointedAt(...this.placeOf(e)))}),e.addEventListener(`pointercancel`,e=>t.delete(e.pointerId)),e.addEventListener(`pointerleave`,()=>this.events.onHover(null)),e.addEventListener(`contextmenu`,e=>e.preventDefault()),e.addEventListener(`wheel`,e=>{e.preventDefault(),this.zoomAt(e,Math.exp(e.deltaY*.0012))})}drag(e,t,n,r){if(this.events.onHover(null),e.size===2){this.pinch(e,t);return}let i=t.shiftKey||!!(t.buttons&6),a=this.element.clientHeight;this.events.onCamera(i?zh.pan(this.camera,n,r,a):zh.turn(this.camera,n,r))}pinch(e,t){let n=()=>{let[t,n]=[...e.values()];return Math.hypot(t.clientX-n.clientX,t.clientY-n.clientY)},r=n();e.set(t.pointerId,t),this.events.onCamera(zh.zoom(this.camera,r/Math.max(1,n())))}zoomAt(e,t){let[n,r]=this.placeOf(e),i=this.projections.find(({area:e})=>n>=e.x&&n<e.x+e.width)?.area;if(!i)return;let[a,o]=[i.x+i.width/2-n,i.y+i.height/2-r],s=zh.zoom(this.camera,t),c=1-s.zoom/this.camera.zoom,l=zh.pan(this.camera,a*c,o*c,i.height);this.events.onCamera({...l,zoom:s.zoom})}hovering=0;hover(e){cancelAnimationFrame(this.hovering);let t=this.placeOf(e);this.hovering=requestAnimationFrame(()=>this.events.onHover(this.pointedAt(...t)))}placeOf(e){let t=this.element.getBoundingClientRect();return[e.clientX-t.left,e.clientY-t.top]}dispose(){this.resizing.disconnect(),cancelAnimationFrame(this.frame);for(let{stage:e}of this.sceneries)e.dispose();this.renderer.dispose()}};function HS(e,t){let n=[];for(let r of e){let e=KS(t,r);if(!e)continue;let[i,a]=e,o=(r.kind===`selected`?US(r.text):[]).map(([e,t])=>({label:r,place:[i+e,a+t]})).find(e=>!n.some(t=>GS(e,t)));n.push(o??{label:r,place:e})}return n}function US(e){let t=WS(e)+14;return[0,-30,30,-48,48].flatMap(e=>[0,t,-t].map(t=>[t,e])).sort((e,t)=>Math.hypot(...e)-Math.hypot(...t))}function WS(e){return 3.6*e.length+3}function GS(e,t){let[n,r]=[e.place[0]-t.place[0],e.place[1]-t.place[1]];return Math.abs(n)<WS(e.label.text)+WS(t.label.text)&&Math.abs(r)<14}function KS(e,{at:t,away:n,pixels:r}){let i=e.project(...t),a=e.project(t[0]+n[0]*.1,t[1]+n[1]*.1,t[2]+n[2]*.1);if(!i||!a)return null;let[o,s]=[a[0]-i[0],a[1]-i[1]],c=Math.hypot(o,s)||1,l=r+Math.min(40,.4*e.scale/i[2]);return[i[0]+o/c*l,i[1]+s/c*l]}function qS(e){let t=(t,n,r)=>n(...e.map(e=>e[r][t])),n=(e,n)=>[t(0,e,n),t(1,e,n),t(2,e,n)];return{low:n(Math.min,`low`),high:n(Math.max,`high`)}}function JS(){let e=document.createElement(`canvas`).getContext(`webgl2`);if(!e)return!0;let t=e.getExtension(`WEBGL_debug_renderer_info`),n=String(e.getParameter(t?t.UNMASKED_RENDERER_WEBGL:e.RENDERER));return e.getExtension(`WEBGL_lose_context`)?.loseContext(),/swiftshader|llvmpipe|software|basic render/i.test(n)}var YS=10;function XS(e,t,n){if(t.isEmpty)return[];let r=e.facts.shape.map((e,t)=>n.slice[t]?.[0]??0),i=t.inner.flatMap((i,a)=>QS(e,t,n,r,a));return t.outer.length>0?[...i,...tC(e,t,n,r)]:i}function ZS(e,t,n){let r=e.facts.shape[n]-1,[i,a]=t.slice[n]??[0,r];return Array.from({length:Math.min(a,r)-i+1},(e,t)=>i+t)}function QS(e,t,n,r,i){let a=t.inner[i],o=ZS(e,n,a),s=rC(o.length/YS)|+!!t.isFolded(a),c=r.slice();i===1&&t.inner.length>2&&(c[t.inner[0]]=eC(e,t,n,0));let l=$S(i,t.inner.length),u=n=>vh(t,e.nodeAt(c.map((e,t)=>t===a?n:e))),d=o.slice().sort((e,t)=>u(e)[i]-u(t)[i]).filter((e,t)=>t%s===0).map(e=>({text:String(e),at:u(e),away:l,pixels:10,kind:`tick`})),f=e=>o.reduce((t,n)=>t+u(n)[e],0)/o.length,p=[f(0),f(1),f(2)];return d.push({text:e.facts.dimensions[a],at:p,away:l,pixels:32,kind:`axis`}),d}function $S(e,t){return e===0?[0,-.75,t>2?-.3:0]:e===1&&t>2?[.75,0,-.3]:[-.75,0,0]}function eC(e,t,n,r){let i=t.inner[r],a=ZS(e,n,i),o=n=>{let a=e.nodeAt(e.facts.shape.map((e,t)=>t===i?n:0));return t.positions[3*a+r]};return a.reduce((e,t)=>o(t)>o(e)?t:e)}function tC(e,t,n,r){let{dimensions:i}=e.facts,a=[r];for(let r of t.outer){let t=ZS(e,n,r);a=a.flatMap(e=>t.map(t=>e.map((e,n)=>n===r?t:e)))}let[o,,s]=t.inner;return a.map(r=>{let[a,c]=[vh(t,e.nodeAt(r)),nC(e,t,n,r,o,s)],l=[(a[0]+c[0])/2,a[1],c[2]];return{text:t.outer.map(e=>`${i[e]}=${r[e]}`).join(` `),at:l,away:[0,0,1],pixels:8,kind:`block`}})}function nC(e,t,n,r,i,a){let o=r.slice();return o[i]=eC(e,t,n,t.inner.indexOf(i)),a!==void 0&&(o[a]=eC(e,t,n,t.inner.indexOf(a))),vh(t,e.nodeAt(o))}function rC(e){return[1,2,4,5,8,10,16,20,32,50,64,100,128,256].find(t=>t>=e)??1e3}var iC=5e4,aC=class{start;finish;link;count=0;constructor(e){this.start=new Float32Array(4*e),this.finish=new Float32Array(4*e),this.link=new Int32Array(e)}add(e,t,n,r,i){this.count===this.link.length&&this.grow();let a=4*this.count;for(let e=0;e<3;e++)this.start[a+e]=t[e],this.finish[a+e]=n[e];this.start[a+3]=r,this.finish[a+3]=i,this.link[this.count++]=e}addPath(e,{points:t,along:n}){for(let r=1;r<t.length;r++)this.add(e,t[r-1],t[r],n[r-1],n[r])}done(){let{count:e}=this;return{count:e,start:this.start.subarray(0,4*e),finish:this.finish.subarray(0,4*e),link:this.link.subarray(0,e)}}grow(){let e=Math.max(64,2*this.link.length),t=(e,t)=>{let n=new e.constructor(t);return n.set(e),n};this.start=t(this.start,4*e),this.finish=t(this.finish,4*e),this.link=t(this.link,e)}};function oC(e,t,n,r){let i=new aC(e.links);for(let a=0;a<e.links;a++){let o=sC(e,t,n,a);o&&(r(a)?_C(i,a,o):i.addPath(a,o))}return i.done()}function sC(e,t,n,r){let i=e.source[r];if(!t.shown[i])return null;let a=e.direction[r]>>1,o=vh(t,i),s=vh(t,e.target[r]),c=cC(e,t,n,r,a);if(c===`hidden`)return null;if(c===`straight`)return uC(o,s);if(c===`stub`)return uC(o,dC(o,fC(e,t,r,a)));let l=e.links>iC,u=mC(t,a,.22);return c===`low arc`&&l?uC(dC(o,u),dC(s,u)):c===`low arc`?gC(o,s,u,[0,0,0],8):hC(e,t,r,o,s,l?4:16)}function cC(e,t,n,r,i){let a=!t.shown[e.target[r]];if(t.outer.includes(i))return n.outer===`hidden`||n.wraps===`hidden`&&e.isWrap[r]?`hidden`:n.outer===`stubs`||a?`stub`:e.isWrap[r]?`arc`:`straight`;if(e.isWrap[r]){if(n.wraps===`hidden`)return`hidden`;if(n.wraps===`stubs`||a)return`stub`;if(!t.isFolded(i))return`arc`}return a?`stub`:t.isFolded(i)&&lC(e,t,r)>1.5?`low arc`:`straight`}function lC(e,t,n){let r=vh(t,e.source[n]),i=vh(t,e.target[n]);return Math.hypot(i[0]-r[0],i[1]-r[1],i[2]-r[2])}var uC=(e,t)=>({points:[e,t],along:[0,1]});function dC(e,t){return[e[0]+t[0],e[1]+t[1],e[2]+t[2]]}function fC(e,t,n,r){let i=e.direction[n]&1?-1:1,a=[[.3,.3,0],[0,.3,.3],[.3,0,.3]],o=t.outer.indexOf(r),s=o>=0?a[o]:pC(t,r,.42);return[i*s[0],i*s[1],i*s[2]]}function pC(e,t,n){let r=e.inner.indexOf(t);return[r===0?n:0,r===1?n:0,r===2?n:0]}function mC(e,t,n){let r=e.inner.indexOf(t),i=e.inner.length<3;return r===0?[0,n,i?0:n]:r===1?[n,0,i?0:n]:r===2?[n,n,0]:[0,n,0]}function hC(e,t,n,r,i,a){let o=e.direction[n]>>1,s=e.direction[n]&1?-1:1,c=Math.hypot(i[0]-r[0],i[1]-r[1],i[2]-r[2]),l=t.inner.length===1?.3+.12*c:.34,u=pC(t,o,.8*s);return gC(r,i,mC(t,o,l),u,a)}function gC(e,t,n,r,i){let a=[],o=[];for(let s=0;s<=i;s++){let c=s/i,l=c*c*(3-2*c),u=1-2*c,d=1-u**4,f=i=>e[i]+(t[i]-e[i])*l+n[i]*d+r[i]*u*d;a.push([f(0),f(1),f(2)]),o.push(c)}return{points:a,along:o}}function _C(e,t,n){let r=n.points.length>2?9:3;for(let i=0;i<r;i++){let a=(i+.2)/r,o=(i+.75)/r;e.add(t,vC(n,a),vC(n,o),a,o)}}function vC({points:e,along:t},n){let r=1;for(;r<t.length-1&&t[r]<n;)r++;let i=(n-t[r-1])/(t[r]-t[r-1]),[a,o]=[e[r-1],e[r]];return[a[0]+(o[0]-a[0])*i,a[1]+(o[1]-a[1])*i,a[2]+(o[2]-a[2])*i]}function yC(e,t,n){let{machine:r}=t.run,i=e.state.run===n||e.isSameMachine?xC(e.state,t):[],a=i.map(({text:e,at:t,isLink:n})=>({text:e,at:t,away:[0,.2,n?-1:1],pixels:12,kind:`selected`})),o=i.map(({at:e})=>({at:e,radius:nm.largest*.55}));return{stage:t,labels:[...XS(r,t.layout,e.state),...a],halos:o,title:e.runs.length>1?bC(e,n,t.layout.isEmpty):``}}function bC(e,t,n){if(e.isDifference)return`Second run minus first`;let r=`${[`First`,`Second`][t]}: ${e.runs[t].name}`;return n?`${r} (nothing in this slice)`:r}function xC({selection:e,route:t},n){let{machine:r}=n.run,i=new Set(t?[t.source,t.target]:[]);e&&`node`in e&&i.add(e.node);let a=[...i].filter(e=>n.layout.shown[e]).map(e=>({text:r.nodeName(e),at:vh(n.layout,e),isLink:!1})),o=e&&`link`in e?n.pathOfLink(e.link):null;return o&&e&&`link`in e&&a.push({text:r.linkName(e.link),at:vC(o,.5),isLink:!0}),a}var SC=.72;function CC(e,t,n,r){let{scale:i,theme:a}=e,o=Bi(i.isDifference?`differences`:`values`,a),s=new Uint32Array([Vi(Ii[a].dead,.3)]);if(r)for(let e of[o,s])wC(e,a);let c=new Uint32Array(n.length),l=255/(i.high-i.low),{threshold:u}=e,{low:d}=i;for(let e=0;e<n.length;e++){let t=n[e];if(u>0&&Math.abs(t)<u)continue;let r=(t-d)*l+.5|0;c[e]=o[Math.min(255,Math.max(0,r))]}for(let{deadLinks:n}of e.isDifference?e.runs:[t])for(let e of n)c[e]=s[0];return c}function wC(e,t){let n=Ii[t].ground;e.forEach((t,r)=>{e[r]=Vi([0,1,2].map(e=>{let r=t>>>8*e&255;return Math.round(r+(n[e]-r)*SC)}),(t>>>24)/255)})}function TC(e,t){let{theme:n,state:r}=e,i=new Uint32Array(t.machine.nodes);if(r.nodes===`hidden`)return i;let a=EC(t,r.nodes,n);for(let e=0;e<i.length;e++){let t=a(e);i[e]=Vi(t??Ii[n].node,t?1:.5)}return i}function EC(e,t,n){let{ranks:r,nodes:i}=e;if(t===`rank`&&r){let e=Math.max(1,r.node.length-1);return t=>{let i=r.on.get(t)?.[0];return i===void 0?null:Li(`values`,n,i/e)}}if(t===`group`&&r)return e=>{let t=r.on.get(e)?.[0];return t===void 0?null:Ri(r.group[t])};if((t===`injected`||t===`delivered`)&&i){let e=i[t],r=e.reduce((e,t)=>Math.max(e,t),1);return t=>Li(`values`,n,e[t]/r)}return()=>null}var DC=5;function OC(e,t,n,r){return kC(e,t,n,r)??AC(e,t,n,r)}function kC({layout:e,nodeWords:t},n,r,i){let a=1/0,o=-1,{positions:s}=e;for(let c=0;c<e.shown.length;c++){if(t[c]===0)continue;let e=n.project(s[3*c],s[3*c+1],s[3*c+2]);if(!e||e[2]>=a)continue;let l=Math.max(3,(t[c]>>>24)/255*nm.largest*.5*(n.scale/e[2]));(e[0]-r)**2+(e[1]-i)**2>l**2||(a=e[2],o=c)}return o<0?null:{node:o}}function AC({pieces:e,linkWords:t},n,r,i){let a=1/0,o=-1,{start:s,finish:c,link:l}=e;for(let u=0;u<e.count;u++){let e=t[l[u]];if(e===0)continue;let d=4*u,f=n.project(s[d],s[d+1],s[d+2]);if(!f||Math.abs(f[0]-r)>2e3)continue;let p=n.project(c[d],c[d+1],c[d+2]);if(!p)continue;let m=jC(f,p,(e>>>24)/255,n.scale,r,i),h=(f[2]+p[2])/2,g=m<=1?h*.001:1e3*m+h*.001;m>DC||g>=a||(a=g,o=l[u])}return o<0?null:{link:o}}function jC(e,t,n,r,i,a){let[o,s]=[t[0]-e[0],t[1]-e[1]],c=Math.hypot(o,s);if(c<.001)return 1/0;let l=((i-e[0])*o+(a-e[1])*s)/c,u=Math.max(0,-l,l-c),d=(-(i-e[0])*s+(a-e[1])*o)/c,{width:f,gap:p}=um(n,.5,r/((e[2]+t[2])/2));return Math.hypot(u,Math.max(0,p-d,d-p-f))}var MC=`
precision highp float;
out vec2 place;
void main() {
    place = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    gl_Position = vec4(2.0 * place - 1.0, 0.0, 1.0);
}`,NC=`
precision highp float;
precision highp int;
uniform sampler2D numbers;
uniform highp sampler2D depths;
${mm}
in vec2 place;
out vec4 fragment;
void main() {
    ivec2 at = ivec2(place * vec2(textureSize(numbers, 0)));
    vec4 own = texelFetch(numbers, at, 0);
    if (own.a == 0.0) discard;
    ivec3 digits = ivec3(round(255.0 * own.rgb));
    int piece = digits.r + 256 * digits.g + 65536 * digits.b;
    fragment = vec4(own.a == 1.0 ? own.rgb : wordOf(piece).rgb, 1.0);
    gl_FragDepth = texelFetch(depths, at, 0).r;
}`,PC=class{mesh;links;nodes;buffer=new fs(1,1,{depthTexture:new Pl(1,1)});drawn=``;isNumbered=!1;shares=new Uint8Array;constructor(e,t){this.links=e,this.nodes=t;let n=new Jl({glslVersion:xo,vertexShader:MC,fragmentShader:NC,uniforms:{numbers:{value:this.buffer.texture},depths:{value:this.buffer.depthTexture},words:e.mesh.material.uniforms.words}});this.mesh=new gl(new Kc,n),this.mesh.geometry.setDrawRange(0,3),this.mesh.frustumCulled=!1,this.mesh.visible=!1,this.mesh.renderOrder=-1}prepare(e,t,n){let{links:r,nodes:i}=this,{area:a,elements:o}=n,[s,c]=[a.width,a.height].map(t=>FC(t,e)),l=[r.edition,i.edition,s,c,...Array.from(o)].join(),u=r.areWedges&&l===this.drawn;this.drawn=l,u&&!this.isNumbered&&(this.buffer.setSize(s,c),this.drawNumbers(e,t),this.shares=fm(r.pieces,n)),u?r.chooseWiderThan(this.shares):this.isNumbered&&r.chooseShown(),this.isNumbered=u,this.mesh.visible=u,i.points.visible=!u}drawNumbers(e,t){let{links:n,nodes:r}=this;n.tellNumbers(!0),e.setRenderTarget(this.buffer),e.clear(),e.render(n.mesh,t),e.render(r.points,t),e.setRenderTarget(null),n.tellNumbers(!1)}dispose(){this.mesh.geometry.dispose(),this.mesh.material.dispose(),this.buffer.dispose()}};function FC(e,t){return Math.max(1,Math.round(e*t.getPixelRatio()))}var IC=class{run;scene=new Qs;links=new Dm({isOnTop:!1});marks=new Dm({isOnTop:!0});nodes=new am;layout;recolored=new PC(this.links,this.nodes);view;constructor(e){this.run=e,this.scene.add(this.recolored.mesh,this.links.mesh,this.nodes.points,this.marks.mesh),this.scene.matrixWorldAutoUpdate=!1}arrange(e){this.view=e,this.layout=hh(this.run.machine,e),this.links.setPieces(oC(this.run.machine,this.layout,e,e=>this.run.isDead(e)))}setGround(e){this.links.setGround(e),this.marks.setGround(e)}paintLinks(e){this.links.setWords(e)}paintNodes(e,t){let{machine:n}=this.run,r=new Uint8Array(n.nodes);for(let i of n.deadNodes)r[i]=1,this.layout.shown[i]&&(e[i]=Vi(Ii[t].dead,1));for(let t=0;t<n.nodes;t++)this.layout.shown[t]||(e[t]=0);this.nodes.set(this.layout.positions,e,r)}setMarks(e){let t=new aC(e.length+16),n=new Uint32Array(e.length);e.forEach((e,r)=>{let i=this.pathOf(e);i&&(t.addPath(r,i),n[r]=Vi(e.color,e.width))}),this.marks.setPieces(t.done()),this.marks.setWords(n)}pathOfLink(e){return sC(this.run.machine,this.layout,this.view,e)}pathOf(e){if(`link`in e)return this.pathOfLink(e.link);if(!this.layout.shown[e.from]||!this.layout.shown[e.to])return null;let[t,n]=[vh(this.layout,e.from),vh(this.layout,e.to)];return gC(t,n,LC(t,n),[0,0,0],10)}aim(e,t){this.links.aim(e),this.marks.aim(e),this.nodes.aim(e,t)}recolor(e,t,n){this.recolored.prepare(e,t,n)}pick(e,t,n){return OC({layout:this.layout,pieces:this.links.pieces,linkWords:this.links.words,nodeWords:this.nodes.words},e,t,n)}dispose(){this.recolored.dispose(),this.links.dispose(),this.marks.dispose(),this.nodes.dispose()}};function LC(e,t){let[n,r,i]=[t[0]-e[0],t[1]-e[1],t[2]-e[2]],a=Math.hypot(n,r,i);return[-.16*r,.16*n,n===0&&r===0?0:.1*a]}var RC=class{listeners=[];state;constructor(e){this.state=e}set(e){let t=Object.keys(e),n=new Set(t.filter(t=>!Object.is(this.state[t],e[t])));n.size!==0&&(Object.assign(this.state,e),this.announce(n))}announce(e){for(let t of this.listeners)t(e)}onChange(e){this.listeners.push(e)}},zC=class{element=e(`div`,{class:`tip`,role:`status`,hidden:!0});show({clientX:t,clientY:r},i){if(this.element.hidden=i.length===0,i.length===0)return;n(this.element,...i.map(t=>e(`div`,{},t)));let a=this.element.parentElement.getBoundingClientRect(),{offsetWidth:o,offsetHeight:s}=this.element,c=Math.min(t-a.left+14,a.width-o-4),l=r-a.top+18+s>a.height,u=r-a.top+(l?-s-10:16);this.element.style.transform=`translate(${Math.max(0,c)}px, ${Math.max(0,u)}px)`}hide(){this.element.hidden=!0}},BC=60;async function VC(t,r,i){n(t,e(`p`,{class:`reading`},`Reading the run …`));let a=[];for(let e of r.runs)a.push(await oi.open(e));performance.mark(`torusim: tables read`);let o=new UC(t,r,a,i);o.picture.drawAndWait(),performance.mark(`torusim: first picture`),await HC();for(let e of a)await e.readRest();return o.store.announce(new Set([`data`])),performance.mark(`torusim: all data`),o}function HC(){return new Promise(e=>requestAnimationFrame(()=>setTimeout(e)))}var UC=class{store;context;picture;element;stages;panels;start;address;time;picking={next:null};tip=new zC;stopKeys;constructor(t,r,i,a){this.element=t,this.start=qC(i);let s=i.map(({machine:e})=>e),c=()=>KC(this.start,i);this.store=new RC(a.hasAddress?c():{...this.start});let u=e=>l(e,this.start,s);this.address=a.hasAddress?new x(this.store,u,c):null,this.context=new mi(i,this.store),this.stages=i.map(e=>new IC(e)),this.picture=new VS(this.start.camera,WC(i),{onHover:e=>this.showTip(e),onPick:e=>this.pick(e),onCamera:e=>this.store.set({camera:e})});let d=RS(this.context);this.time=d;let f=[wh(this.context),Jh(this.context),d_(this.context),Tg(this.context),m_(this.context,this.picking),c_(this.context),v_(this.context),sg(this.context)].filter(e=>e!==null),p=Yg(this.context),m=eg(this.context,r,this.picture,this.address);this.panels=[p,...d?[d]:[],...f];let h=o(`⌂`,`Back to the first camera (Home)`,()=>this.store.set({camera:this.start.camera}),`home`),g=e(`main`,{class:`middle`},e(`div`,{class:`stage`},this.picture.element,h,this.tip.element),d?.element),_=e(`aside`,{class:`side`},...f.map(e=>e.element));n(t,m,e(`div`,{class:`columns`},p.element,g,_)),this.store.onChange(e=>this.update(e)),this.stopKeys=Uh(this.picture.element,this.context,d,this.start),this.update(new Set([...Object.keys(this.store.state),`data`]))}update(e){let t=(...t)=>t.some(t=>e.has(t));if(this.element.dataset.theme=this.context.theme,t(`theme`))for(let e of this.stages)e.setGround(Ii[this.context.theme].ground);if(t(`slice`,`explode`,`wraps`,`outer`))for(let e of this.stages)e.arrange(this.store.state);let n=t(`slice`,`explode`,`wraps`,`outer`,`theme`);if((n||t(`time`,`quantity`,`scale`,`hide`,`compare`,`route`,`ring`,`messages`,`run`,`data`))&&this.paintLinks(),(n||t(`nodes`))&&this.paintNodes(),(n||t(`selection`,`route`,`ring`,`messages`,`time`,`run`,`data`))&&this.mark(),(n||t(`compare`,`selection`,`route`,`run`))&&this.setScene(),this.pointed&&this.showTip(t(`compare`)?null:this.pointed),t(`camera`)&&this.picture.setCamera(this.store.state.camera),e.size>1||!t(`camera`))for(let t of this.panels)t.update(e);this.picture.request(),this.address?.write()}paintLinks(){let e=zg(this.context);for(let t of this.context.pictured){let{run:n}=this.stages[t],r=new Float64Array(n.machine.links);this.context.fill(r,t),this.stages[t].paintLinks(CC(this.context,n,r,e))}}paintNodes(){for(let e of this.stages)e.paintNodes(TC(this.context,e.run),this.context.theme)}mark(){for(let[e,t]of this.stages.entries())t.setMarks(Rg(this.context,e))}setScene(){let{pictured:e}=this.context;this.picture.setSceneries(e.map(e=>yC(this.context,this.stages[e],e)))}pick(e){if(!e){this.store.set({selection:null});return}let t=this.context.pictured[e.stage],{hit:n}=e;this.picking.next&&`node`in n?this.pickEnd(n.node,t):this.context.select(n,t)}pickEnd(e,t){let n=this.picking.next===`source`;this.picking.next=n?`target`:null;let r=n?e:this.store.state.route?.source??e;this.store.set({run:t,selection:{node:e},route:{source:r,target:e}})}pointed=null;showTip(e){if(this.pointed=e,this.picture.element.style.cursor=e?`pointer`:``,!e){this.tip.hide();return}let{left:t,top:n}=this.picture.element.getBoundingClientRect();this.tip.show({clientX:t+e.x,clientY:n+e.y},this.tipText(e))}tipText({stage:e,hit:t}){let n=this.context.pictured[e],r=this.context.runs[n],{machine:i}=r;if(`node`in t)return GC(r,t.node);let a=r.quantity(this.store.state.quantity),o=this.context.isDifference?Qr:$r,s=this.context.isDifference?this.difference(t.link):r.value(t.link,a,this.context.momentOf(r));return[`${i.linkName(t.link)} → ${i.nodeName(i.target[t.link])}`,`${a.label}: ${o(s,a)}`]}difference(e){let[t,n]=this.context.runs.map(t=>t.value(e,t.quantity(this.store.state.quantity),this.context.momentOf(t)));return n-t}measure(e){let t=performance.now();return this.store.set(e),this.picture.drawAndWait(),performance.now()-t}dispose(){this.stopKeys(),this.time?.dispose(),this.address?.dispose(),this.context.dispose();for(let e of this.stages)e.dispose();this.picture.dispose(),this.element.replaceChildren()}};function WC(e){return e.reduce((e,{machine:t})=>e+t.links,0)}function GC(e,t){let{machine:n,nodes:r,ranks:i}=e,a=[`Node ${t} ${n.nodeName(t)}${n.deadNodes.has(t)?`, dead`:``}`],o=i?.on.get(t);if(i&&o){let e=o.slice(0,6).map(e=>i.name(e));a.push(`${o.length>1?`Ranks`:`Rank`} ${e.join(`, `)}${o.length>6?` …`:``}`)}return r&&a.push(`Packets: ${q(r.injected[t])} injected, ${q(r.delivered[t])} delivered`),a}function KC(e,t){let n=t.map(({machine:e})=>e),r=u(location.hash,e,n),i=Math.max(...t.map(e=>e.series?.rows??0));return r.time!==null&&r.time>=i&&(r.time=null),t.every(e=>e.has(r.quantity))||(r.quantity=e.quantity),vi(t).some(({value:e})=>e===r.nodes)||(r.nodes=e.nodes),bi(t).some(({value:e})=>e===r.compare)||(r.compare=e.compare),r}function qC(e){let{machine:t,facts:n}=e[0],{inner:r}=ph(t.facts.shape),i=t.isWrap.reduce((e,t)=>e+t,0);return{time:null,quantity:e[0].quantities[0].id,scale:`largest`,hide:0,slice:t.facts.shape.map(()=>null),explode:null,wraps:r.length<3||i<=BC?`arcs`:`stubs`,outer:`stubs`,nodes:e[0].ranks?.hasGroups&&n.groups.length>0?`group`:`plain`,messages:`none`,run:0,selection:null,route:null,ring:n.deadlock!==null,compare:`both`,camera:Ph(r.length<3),theme:`auto`}}var JC={cables:[`asked`,`used`,`all`,`none`],colors:[`job`,`user`,`nodes`,`wait`],arrangement:[`racks`,`places`],theme:[`auto`,`dark`,`light`]};function YC(e,t){let n=new URLSearchParams,r=(e,t,r)=>{t!==r&&n.set(e,String(t))};r(`t`,e.time,t.time);let i=({from:e,to:t})=>`${Math.round(e)}-${Math.round(t)}`;r(`show`,i(e),i(t)),r(`run`,e.run,t.run);for(let n of[`cables`,`colors`,`arrangement`,`theme`])r(n,e[n],t[n]);return r(`ask`,XC(e.asked),``),n.toString().replace(/%3A/g,`:`).replace(/%2C/g,`,`)}function XC(e){return e?`job`in e?`job:${e.job}`:`midplane`in e?`midplane:${e.midplane}`:`partition:${e.partition}`:``}function ZC(e,t,n){let r=new URLSearchParams(e.replace(/^#/,``)),i={...t},a=e=>Math.min(t.to,Math.max(t.from,e));i.time=a(QC(r.get(`t`),t.time));let[o,s]=((r.get(`show`)??``).match(/^(\d+)-(\d+)$/)??[]).slice(1).map(e=>a(Number(e)));o<s&&([i.from,i.to]=[o,s]),i.run=Math.min(Math.trunc(QC(r.get(`run`),t.run)),n-1);for(let e of Object.keys(JC)){let t=JC[e].find(t=>t===r.get(e));t&&Object.assign(i,{[e]:t})}return i.asked=$C(r.get(`ask`)??``),i}function QC(e,t){return e!==null&&/^\d+(\.\d+)?$/.test(e)?Number(e):t}function $C(e){let[,t,n]=e.match(/^(job|midplane|partition):(.+)$/)??[];return t===`job`?/^\d+$/.test(n)?{job:Number(n)}:null:t===`midplane`?{midplane:n}:t===`partition`?{partition:n}:null}var ew=3600,tw=86400,nw=[[tw,`d`],[ew,`h`],[60,`min`],[1,`s`]];function rw(e){if(Number.isNaN(e))return`–`;let t=e<0?`−`:``,n=Math.round(Math.abs(e)),r=nw.findIndex(([e])=>n>=e);if(r<0)return`0 s`;let[i,a]=nw[r],o=[`${q(Math.floor(n/i))} ${a}`],s=nw[r+1],c=s?Math.floor(n%i/s[0]):0;return c>0&&n<864e4&&!(r===2&&n>=600)&&o.push(`${c} ${s[1]}`),t+o.join(` `)}function iw(e){let[t,n]=nw.find(([t])=>Math.abs(e)>=t)??nw[3],r=e/t;return`${Math.abs(r)<10&&t>1?r.toFixed(1):q(Math.round(r))} ${n}`}function aw(e){return e>5e8}function ow(e,t=!1){if(Number.isNaN(e))return`–`;let n=new Date(1e3*Math.round(e)).toISOString().slice(11,t?19:16);return`${sw(e)}, ${n}`}function sw(e){return aw(e)?new Date(1e3*e).toLocaleDateString(`en-GB`,{day:`numeric`,month:`short`,timeZone:`UTC`}):`day ${Math.floor(e/tw)+1}`}function cw(e,[t,n]){let r=e.trim().toLowerCase();if(/^\d[\d,]*(\.\d+)?$/.test(r))return Number(r.replaceAll(`,`,``));let[,i,a=``]=r.match(/^(.*?)(?:[,\s]+(\d{1,2}:\d{2}(?::\d{2})?))?$/),[o=0,s=0,c=0]=a.split(`:`).map(Number),l=lw(i,t,n);return l===null?null:l+o*ew+s*60+c}function lw(e,t,n){let r=e.match(/^day\s*(\d+)$/);if(r)return(Number(r[1])-1)*tw;let i=/^(\d{1,2} [a-z]{3,9}( \d{4})?|\d{4}-\d{2}-\d{2})$/.test(e);if(!aw(t)||!i)return null;let a=e=>new Date(1e3*e).getUTCFullYear(),o=(/\d{4}/.test(e)?[``]:[a(t),a(n)].map(e=>` ${e}`)).map(t=>Date.parse(`${e}${t} UTC`)/1e3).filter(Number.isFinite);return o.find(e=>e+86400>t&&e<=n)??o[0]??null}function uw(e){if(Number.isNaN(e))return`never`;let t=`second ${q(Math.round(e))} of the log`;return aw(e)?`${new Date(1e3*e).toISOString().slice(0,19).replace(`T`,` `)} UTC, ${t}`:t}var dw=[1,5,10,30,60,300,600,1800,ew,2*ew,3*ew,6*ew,12*ew,...[1,2,5,10,20,50,100,200,500,1e3,2e3].map(e=>e*tw)];function fw(e,t,n){let r=dw.find(r=>(t-e)/r<=n)??dw[dw.length-1],i=[];for(let n=Math.ceil(e/r)*r;n<=t;n+=r)i.push({second:n,text:pw(n,r)});return i}function pw(e,t){return t>=86400||e%86400==0?sw(e):new Date(1e3*e).toISOString().slice(11,t<60?19:16)}function mw(e,t,n){let r=t.jobs.id[n];return o(String(r),`Ask job ${r}`,()=>e.ask({job:r},e.runs.indexOf(t)),`link`)}function hw(t,n,r){return e(`span`,{},...r.flatMap((e,r)=>[r>0?`, `:null,mw(t,n,e)]))}function gw(e,t,n){let{name:r}=t.midplanes[n];return o(r,`Ask ${r}`,()=>e.ask({midplane:r},e.runs.indexOf(t)),`link`)}function _w(e,t,n){return t.partitions.some(e=>e.name===n)?o(n,`Ask this partition`,()=>e.ask({partition:n},e.runs.indexOf(t)),`link`):n}function vw(t,n){return Number.isNaN(n)?e(`span`,{},`–`):o(ow(n),`${uw(n)}: move the cursor there`,()=>t.go(n),`link`)}function yw(e){let t=e.map(({from:e,until:t,midplane:n,cable:r,nodes:i})=>({from:e,until:t??1/0,unit:n,cable:r,nodes:i??0})),n=[];for(let e of t.sort((e,t)=>e.from-t.from)){let{from:t,until:r,unit:i,cable:a,nodes:o}=e,s=n.find(e=>e.unit===i&&e.cable===a&&e.until>=t);s&&o===0?s.until=Math.max(s.until,r):n.push(e)}return n}function bw({unit:e,cable:t},{midplanes:n,cables:r}){return e!==null&&n.includes(e)||t!==null&&r.includes(t)}function xw({stays:e},t){return e.flat().filter(({isEnded:e,end:n})=>e&&n===t.from).filter(({partition:e})=>e===null||bw(t,e))}function Sw(e,{unit:t,cable:n,nodes:r}){return t===null?n===null?Dw(r,`node`):Cw(e,n):e.unitName(t)}function Cw(e,t){let{dimension:n,from:r,to:i}=e.room.cables[t];return`cable ${n} ${e.unitName(r)} ${e.unitName(i)}`}function ww({from:e,until:t}){let n=t===1/0?`on, for good`:`until ${ow(t)}`;return`out of service from ${ow(e)} ${n}`}function Tw(e,t){let n=Sw(e,t);return`${n[0].toUpperCase()}${n.slice(1)}: ${ww(t)}`}function Ew(e,t){let n=e=>t.filter(t=>t[e]!==null).length,r=t.reduce((e,t)=>e+t.nodes,0);return[Dw(n(`unit`),e.unit),Dw(n(`cable`),`cable`),Dw(Math.min(r,e.facts.nodes),`node`)].filter(e=>e).join(` and `)}function Dw(e,t){return e>0?`${q(e)} ${t}${e===1?``:`s`}`:``}function Ow(e,t){let n=e.waits(t),{schedule:r}=e;if(n.kind===`nodes`){let[t,i]=[Lw(r,n.needed),Lw(r,n.free)];return Aw(e,n)?`for ${t}, of which ${i} free, until ${kw(e,n)}`:`for its turn: ${i} free, and it needs ${t}`}let i=`${q(n.size)} nodes`;if(n.total===0)return`for a partition that its room does not have`;if(n.free>0)return`for its turn: ${n.free} of ${n.total} partitions of ${i} are free`;let a=n.next,o=n.closed===0?`held`:n.closed<n.total?`held or out of service`:`out of service`,s=n.total>1?`all ${n.total} partitions of ${i} are`:`the only partition of ${i} is`;return a.until===1/0?`because ${s} ${o}, for good`:`because ${s} ${o}: ${a.partition.name} is free first, when ${kw(e,a)}`}function kw({schedule:e,second:t},{holders:n,outages:r,until:i}){let a=`${Fw(e,n)} ${n.length>1?`end`:`ends`}`,o=Iw(r.map(t=>Sw(e,t))),s=r.length>1||r.some(({nodes:e})=>e>1)?`are`:`is`;return`${[n.length>0?a:``,r.length>0?`${o} ${s} in service again`:``].filter(e=>e).join(` and `)} in ${rw(i-t)}`}function Aw(e,{until:t}){return t>e.second}function jw(e,t){let n=e.waits(t);if(n.kind===`nodes`||n.free>0||!n.next||n.next.until===1/0)return Ow(e,t);let{holders:r,outages:i,until:a}=n.next,o=Iw(i.map(t=>Sw(e.schedule,t))),s=[r.length>0?Fw(e.schedule,r):``,o];return`at least ${rw(a-e.second)} more for ${s.filter(e=>e).join(` and `)}`}function Mw(e,t){let n=e.waits(t);return n.kind===`nodes`?Aw(e,n)?`${Lw(e.schedule,n.needed-n.free)} more`:`its turn`:n.total===0?`no such partition`:n.free>0?`its turn`:Nw(e.schedule,n.next)}function Nw(e,{holders:t,outages:n}){let r=t.length===1?`job ${e.jobs.id[t[0]]}`:`${t.length} jobs`,i=n.length===1&&n[0].unit!==null?Sw(e,n[0]):Ew(e,n);return[t.length>0?r:``,i].filter(e=>e).join(`, `)}function Pw(e,t){let n=e.waits(t);return n.kind===`nodes`?Aw(e,n)?n.until:null:n.free===0&&n.next?n.next.until:null}function Fw(e,t){let n=t.map(t=>String(e.jobs.id[t]));return`${t.length===1?`job`:`jobs`} ${Iw(n)}`}function Iw(e){let t=e.length>4?` and ${e.length-4} more`:``;return`${e.slice(0,4).join(`, `)}${t}`}function Lw({unit:e,unitNodes:t},n){let r=Number.isInteger(n)&&n>0,i=r?n:Math.round(n*t);return`${q(i)} ${r?e:`node`}${i===1?``:`s`}`}function Rw(t,n){let r=t.runs.filter(e=>e.row(n)!==null);if(r.length===0)return[e(`p`,{},`There is no such job.`)];let i=r.map(e=>Ww(t,e,e.row(n))),a=[...new Set(i.flatMap(e=>[...e.keys()]))].map(e=>[e,...i.map(t=>t.get(e)??``)]),o=r.length>1?[``,...r.map(e=>zw(t,e))]:[``,``];return[...r.flatMap(e=>Vw(t,e,e.row(n))),c(``,o,a,`facts`),Bw(t,r,n)]}function zw({runs:e,shortNames:t},n){return t[e.indexOf(n)]}function Bw(e,t,n){let r=t.map(e=>e.jobs.submit[e.row(n)]),i=t.flatMap(e=>e.stays[e.row(n)].map(({end:e})=>e)),[a,s]=[Math.min(...r),Math.max(...i,...r)],c=.6*(s-a)+600;return o(`Show its time in the charts`,`Zoom to this job`,()=>e.show(a-c,s+c))}function Vw(t,n,r){let i=t.at(t.runs.indexOf(n)),{jobs:a}=n,o=t.runs.length>1?`${zw(t,n)}: `:``,s=(t,...n)=>[e(`p`,{class:t},o,...n)],c=n.stays[r];if(a.reason[r]&&c.length===0)return s(`dead`,`never ran: ${a.reason[r]}`);if(i.second<a.submit[r])return s(`quiet`,`Not yet submitted.`);if(i.isRunning(r))return s(``,Hw(i,r));if(!i.isWaiting(r))return s(`quiet`,c.at(-1)?.isEnded?`An outage ended it, and it did not run again.`:`Has ended.`);let l=i.waits(r),u=l.kind===`nodes`?l.holders:l.next?.holders??[],d=u.length>0&&(l.kind===`nodes`||l.free===0)?[e(`br`),`Held by: `,hw(t,n,u.slice(0,12)),u.length>12?` …`:``]:[],f=e(`span`,{class:`quiet`},` ${Uw(i.waiting.indexOf(r))} It starts in ${rw(i.stay(r).start-i.second)}.`);return s(`wanted`,`${i.stay(r).since>a.submit[r]?`An outage ended its run. `:``}Waits ${Ow(i,r)}.`,f,...d)}function Hw(e,t){let{end:n,isEnded:r}=e.stay(t),i=rw(n-e.second);return r?`Runs, until an outage ends it in ${i}.`:`Runs, ${i} to go.`}function Uw(e){return e===0?`It is the first of the queue.`:e===1?`One job before it waits too.`:`${q(e)} jobs before it wait too.`}function Ww(e,t,n){let{jobs:r}=t,i=t.partitionOf(n),a=new Map,o=(e,t)=>{t!==null&&t!==``&&a.set(e,t)},s=!Number.isNaN(r.start[n]);return o(`Nodes`,q(r.nodes[n])),o(`Granted`,s&&r.granted[n]!==r.nodes[n]?`${q(r.granted[n])} nodes`:null),o(`Submitted`,vw(e,r.submit[n])),o(`Started`,s?vw(e,r.start[n]):`never`),o(`Waited`,s?Gw(t,n):null),o(`Promised`,Number.isNaN(r.promised[n])?null:vw(e,r.promised[n])),o(`Ended`,s?vw(e,r.end[n]):null),o(`Run time`,rw(s?r.end[n]-r.start[n]:r.run[n])),o(`All runs`,t.stays[n].some(({isEnded:e})=>e)?Kw(e,t,n):null),o(`Requested`,rw(r.walltime[n])),o(`Partition`,i?_w(e,t,i.name):r.partitionName[n]),o(`Wiring`,i?.wiring??null),o(`User`,r.user[n]),o(`Queue`,r.queue?.[n]??null),o(`Application`,r.application[n]),o(`Restarts`,r.restarts[n]>0?q(r.restarts[n]):null),o(`Killed`,r.isKilled[n]?`yes`:null),o(`Reason`,r.reason[n]),a}function Gw({jobs:e,stays:t},n){let r=rw(e.start[n]-e.submit[n]),i=t[n].filter(({isEnded:e})=>e);return i.length===0?r:`${r} from its submission to its last start, of which it ran ${rw(i.reduce((e,{start:t,end:n})=>e+n-t,0))}`}function Kw(t,n,r){return e(`div`,{},...n.stays[r].map(({start:r,end:i,partition:a,isEnded:o})=>e(`div`,{},vw(t,r),` to `,vw(t,i),a?e(`span`,{},` on `,_w(t,n,a.name)):null,o?` ✕ ended by an outage`:null)))}function qw(e){let t=[...e].sort((e,t)=>e.from-t.from),n=[];for(let{from:e,to:r}of t){let t=n[n.length-1];t&&e<=t.to?t.to=Math.max(t.to,r):n.push({from:e,to:r})}return n}function Jw(e,t){return e.from<t.to&&t.from<e.to}function Yw(e,t,n,r=[]){let i=e.map(()=>[]),a=[{from:0,to:t}];for(let{stay:t,isStart:o}of Zw(e))if(o){let o=Xw(e[t],a,r);i[t]=n===null?Qw(o,e[t].nodes):eT(o,e[t].nodes,n),a=nT(a,i[t])}else a=qw([...a,...i[t].map(e=>({...e}))]);return i}function Xw({start:e,end:t,nodes:n},r,i){let a=nT(r,i.filter(n=>n.start<t&&e<n.end));return a.reduce((e,{from:t,to:n})=>e+n-t,0)>=n?a:[...a,...nT(r,a)]}function Zw(e){return e.flatMap(({start:e,end:t},n)=>t>e?[{stay:n,second:e,isStart:!0},{stay:n,second:t,isStart:!1}]:[]).sort((e,t)=>e.second-t.second||Number(e.isStart)-Number(t.isStart)||e.stay-t.stay)}function Qw(e,t){let n=e.find(({from:e,to:n})=>n-e>=t);return n?[{from:n.from,to:n.from+t}]:$w(e,t)}function $w(e,t){let n=[],r=t;for(let{from:t,to:i}of e){if(r<=0)break;n.push({from:t,to:Math.min(i,t+r)}),r-=i-t}return n}function eT(e,t,n){let r=e.flatMap(e=>tT(e,n));if(t<n){let n=r.filter(({from:e,to:n})=>n-e>=t).reduce((e,t)=>e&&e.to-e.from<=t.to-t.from?e:t,null);return n?[{from:n.from,to:n.from+t}]:$w(e,t)}let i=r.filter(({from:e,to:t})=>t-e===n),a=Math.ceil(t/n);return i.length>=a?qw(i.slice(0,a)):$w(e,t)}function tT({from:e,to:t},n){let r=[];for(let i=e;i<t;){let e=Math.min(t,(Math.floor(i/n)+1)*n);r.push({from:i,to:e}),i=e}return r}function nT(e,t){let n=e;for(let e of t)n=n.flatMap(t=>Jw(t,e)?[{from:t.from,to:e.from},{from:e.to,to:t.to}].filter(({from:e,to:t})=>t>e):[t]);return n}var rT=60;function iT(t,n){let{run:r,now:i}=t,[a,o]=[i.in(n),i.through(n)],s={from:n,to:n+1},c=sT(r,({pieces:e})=>e.some(e=>Jw(e,s))),l=i.outageOf(n),u=r.midplanes[n].place.map((e,t)=>`${r.room.dimensions[t].name} ${e}`).join(`, `);return[u?e(`p`,{class:`quiet`},u):null,l?e(`p`,{class:`dead`},`Now ${ww(l)}.`):null,a.length>0||!l?e(`p`,{},a.length>0?`Held by: `:`Idle.`,hw(t,r,a)):null,o.length>0?e(`p`,{},`Passed through by the cables of: `,hw(t,r,o)):null,cT(t,n,l),lT(t,`Its jobs over time`,c)]}function aT(t,n){let{run:r,now:i}=t,a=i.holdersOf(n),o=i.outages.filter(e=>bw(e,n)),s=sT(r,e=>e.partition===n),l=[[`Nodes`,q(n.nodes)],[`Wiring`,n.wiring],[`Midplanes`,n.midplanes.length>8?q(n.midplanes.length):oT(t,r,n.midplanes)],[`Cables`,q(n.cables.length)],[`Passed through`,oT(t,r,n.passedThrough.slice(0,12))]],u=a.length>0,d=o.map(t=>e(`p`,{class:`dead`},`${Tw(r,t)}.`)),f=e(`p`,{class:`wanted`},`Held, in whole or in part, by: `,hw(t,r,a));return[...d,u?f:o.length>0?null:e(`p`,{},`Free.`),c(``,[``,``],l,`facts`),lT(t,`Its jobs over time`,s)]}function oT(t,n,r){return e(`span`,{},...r.flatMap((e,r)=>[r>0?`, `:null,gw(t,n,e)]))}function sT(e,t){return e.stays.flat().filter(t).sort((e,t)=>e.start-t.start)}function cT(e,t,n){let r=e.run.outages.filter(e=>e.unit===t&&e!==n);if(r.length===0)return null;let i=r.map(({from:t,until:n})=>[vw(e,t),n===1/0?`for good`:vw(e,n)]);return c(n?`Out of service at other times`:`Out of service`,[`From`,`Until`],i)}function lT(t,n,r){let{run:i,now:a}=t,{jobs:o}=i,s=r.findIndex(({end:e})=>e>a.second),l=s<0?r.length:s,u=Math.max(0,Math.min(l-rT/2,r.length-rT)),d=r.slice(u,u+rT),f=d.length<r.length?`, ${d.length} about this time`:``,p=c(`${n}: ${q(r.length)}${f}`,[`Job`,`Nodes`,`Waited`,`Started`,`Ran`],d.map(({row:n,since:r,start:a,end:s,isEnded:c})=>[mw(t,i,n),q(o.nodes[n]),iw(a-r),vw(t,a),c?e(`span`,{title:`An outage ended this run`},`${iw(s-a)} ✕`):iw(s-a)]),`hot`);return[...p.tBodies[0].rows].forEach((e,t)=>{let{start:n,end:r}=d[t];e.classList.toggle(`selected`,n<=a.second&&a.second<r)}),p}function uT(e,t){let n=e.trim(),r=n.match(/^(?:job\s*)?(\d+)$/i);if(r){let e=Number(r[1]);return t.some(t=>t.row(e)!==null)?{job:e}:{problem:`There is no job ${e}.`}}let i=n.toLowerCase(),a=({name:e})=>e.toLowerCase()===i;for(let e of t){let t=e.midplanes.find(a);if(t)return{midplane:t.name};let n=e.partitions.find(a);if(n)return{partition:n.name}}let[o]=t,s=o.midplanes.length>0?`, or a ${o.unit}, such as ${o.midplanes[0].name}`:``;return{problem:`Ask a job by its number, such as ${o.jobs.id[0]}${s}.`}}function dT(t){let{run:r}=t,i=r.midplanes[0]?.name,a=e(`input`,{type:`text`,placeholder:`Job ${r.jobs.id[0]??1}${i?`, ${i}`:``}${r.hasPlaces?` or a partition`:``}`,"aria-label":`Job${i?`, ${r.unit}`:``}${r.hasPlaces?` or partition`:``}`,spellcheck:`false`}),o=e(`p`,{class:`problem`,role:`alert`}),s=e(`form`,{class:`ask`},a,e(`button`,{type:`submit`,title:`Show it`},`Ask`));s.addEventListener(`submit`,e=>{e.preventDefault();let r=uT(a.value,t.runs),i=r!==null&&`problem`in r;n(o,i?r.problem:``),i||t.ask(r)}),a.addEventListener(`input`,()=>n(o)),a.addEventListener(`keydown`,({key:e})=>{e===`Escape`&&(a.value=``,n(o),t.ask(null))});let c=e(`div`,{class:`answer`}),l=e(`p`,{class:`unseen`,role:`status`});return{element:e(`section`,{"aria-label":`Ask`},s,o,l,c),update:e=>{if([...e].some(e=>e!==`hovered`)&&n(o),![`asked`,`time`,`run`,`data`].some(t=>e.has(t)))return;n(c,...fT(t)),e.has(`asked`)&&t.state.asked&&c.scrollIntoView({block:`nearest`});let r=XC(t.state.asked).replace(`:`,` `);l.textContent!==r&&(l.textContent=r)}}}function fT(t){let{asked:n}=t.state;if(!n)return[e(`p`,{class:`hint`},`Click a job in the room, the chart or the queue, or type its number.`)];let r=e(`h3`,{},`job`in n?`Job ${n.job}`:`midplane`in n?n.midplane:n.partition,o(`✕`,`Clear (Escape)`,()=>t.ask(null),`small close`));if(`job`in n)return[r,...Rw(t,n.job)];let{run:i}=t,[a,s]=[t.askedUnit(i),t.askedPartition(i)];return a===null?[r,...s?aT(t,s):[e(`p`,{},`This run has none of this name.`)]]:[r,...iT(t,a)]}var pT=12,mT=Array.from({length:36},(e,t)=>{let n=Ri(t%pT);return t<pT?n:t<24?hT(n,255,.45):hT(n,0,.32)});function hT(e,t,n){return e.map(e=>Math.round(e+(t-e)*n))}var gT=[60,2*tw],_T=class{runs;ofJob=new Map;ofUser=new Map;constructor(e){this.runs=e;for(let t of e)this.color(t);xT(e.flatMap(({jobs:e})=>e.user)).forEach((e,t)=>{this.ofUser.set(e,mT[t%mT.length])})}get hasUsers(){return this.ofUser.size>1}color(e){let t=new Float64Array(mT.length).fill(-1/0);for(let{row:n,start:r,end:i}of e.stays.flat().sort((e,t)=>e.start-t.start)){let a=e.jobs.id[n];if(this.ofJob.has(a))continue;let o=0;for(let e=1;e<mT.length;e++)vT(t,e,r)<vT(t,o,r)&&(o=e);t[o]=Math.max(t[o],i),this.ofJob.set(a,mT[o])}}of(e,t,n,r){let{jobs:i}=e;return n===`user`?this.ofUser.get(i.user[t])??mT[0]:n===`nodes`?Li(`values`,r,this.placeOfNodes(i.nodes[t])):n===`wait`?Li(`values`,r,yT(i.start[t]-i.submit[t])):this.ofJob.get(i.id[t])??mT[0]}css(e,t,n,r){return zi(this.of(e,t,n,r))}placeOfNodes(e){let t=Math.max(...this.runs.map(({facts:e})=>e.nodes));return Math.log(Math.max(1,e))/Math.log(Math.max(2,t))}};function vT(e,t,n){return e[t]>n?0xe8d4a51000+e[t]:Math.floor(t/pT)*1e6+Math.max(0,1e5-(n-e[t]))+t/100}function yT(e){let[t,n]=gT;return Math.log(Math.max(t,e||t)/t)/Math.log(n/t)}function bT(e,t){return t===`nodes`?[`1 node`,`${Math.max(...e.map(({facts:e})=>e.nodes)).toLocaleString(`en-US`)} nodes`]:t===`wait`?[`no wait`,`2 days or more`]:null}function xT(e){let t=new Map;for(let n of e)t.set(n,(t.get(n)??0)+1);return[...t.keys()].sort((e,n)=>t.get(n)-t.get(e))}function ST([e,t,n]){return .299*e+.587*t+.114*n>125?`#10151c`:`#ffffff`}var CT=class{schedule;second;running=[];waiting=[];usedNodes;outages;stays=new Map;bySize=new Map;constructor(e,t){this.schedule=e,this.second=t;let{jobs:n}=e;for(let r=0;r<n.rows&&!(n.submit[r]>t);r++){let n=e.stays[r].find(({end:e})=>e>t);n&&(this.stays.set(r,n),(n.start<=t?this.running:this.waiting).push(r))}this.outages=e.outages.filter(({from:e,until:n})=>e<=t&&t<n),this.usedNodes=this.running.reduce((e,t)=>e+this.stay(t).nodes,0)}isRunning(e){let t=this.stays.get(e);return t!==void 0&&t.start<=this.second}isWaiting(e){return this.stays.has(e)&&!this.isRunning(e)}stay(e){return this.stays.get(e)}outageOf(e){return this.outages.find(t=>t.unit===e)??null}outageOfCable(e){return this.outages.find(t=>t.cable===e)??null}get freeNodes(){let e=this.outages.reduce((e,t)=>e+this.schedule.nodesOf(t),0);return Math.max(0,this.schedule.facts.nodes-this.usedNodes-e)}in(e){let t={from:e,to:e+1};return this.running.filter(e=>this.stay(e).pieces.some(e=>Jw(e,t)))}through(e){return this.running.filter(t=>this.stay(t).partition?.passedThrough.includes(e))}holdersOf(e){return this.running.filter(t=>{let n=this.stay(t).partition;return n!==null&&wT(e,n)})}waits(e){let{schedule:t}=this,n=t.jobs.nodes[e];if(!t.hasPlaces)return this.waitsForNodes(n);let r=t.partitions.reduce((e,t)=>t.nodes>=n&&t.nodes<e?t.nodes:e,1/0);return S(this.bySize,r,()=>this.waitsForPartition(r))}waitsForPartition(e){let t=this.schedule.partitions.filter(({nodes:t})=>t===e),n=t.map(e=>this.held(e)).filter(({until:e})=>e>this.second);return{kind:`partition`,size:e,total:t.length,free:t.length-n.length,closed:t.filter(e=>this.outages.some(t=>bw(t,e))).length,next:n.reduce((e,t)=>e&&e.until<=t.until?e:t,null)}}held(e){let t=this.holdersOf(e),n={partition:e,holders:t,outages:[],until:this.second};for(let e of t)n.until=Math.max(n.until,this.stay(e).end);for(let t of this.schedule.outages)t.from>n.until||t.until<=this.second||!bw(t,e)||(n.outages.push(t),n.until=Math.max(n.until,t.until));return n}waitsForNodes(e){let{unitNodes:t}=this.schedule,n=this.freeNodes,r={kind:`nodes`,needed:e/t,free:n/t,holders:[],outages:[],until:this.second};for(let{second:t,more:i,row:a,outage:o}of this.changesOfNodes()){if(n>=e)break;n+=i,a!==null&&r.holders.push(a),o&&r.outages.push(o),r.until=t}return r}changesOfNodes(){let e=this.running.map(e=>{let{end:t,nodes:n}=this.stay(e);return{second:t,more:n,row:e,outage:null}});for(let t of this.schedule.outages){let n=this.schedule.nodesOf(t);e.push({second:t.from,more:-n,row:null,outage:null}),e.push({second:t.until,more:n,row:null,outage:t})}return e.filter(({second:e})=>e>this.second&&e<1/0).sort((e,t)=>e.second-t.second||e.more-t.more)}};function wT(e,t){return e.pieces.some(e=>t.pieces.some(t=>Jw(e,t)))||e.cables.some(e=>t.cables.includes(e))}var TT=class extends pi{runs;span;colors;shortNames;instants=[];constructor(e,t){super(t),this.runs=e,this.span=DT(e),this.shortNames=jS(e.map(({name:e})=>e)),this.colors=new _T(e)}get run(){return this.runs[this.state.run]}at(e){let t=this.instants[e];return t?.second===this.state.time?t:(this.instants[e]=new CT(this.runs[e],this.state.time),this.instants[e])}get now(){return this.at(this.state.run)}askedRow(e){let{asked:t}=this.state;return t&&`job`in t?e.row(t.job):null}askedPartition(e){let{asked:t}=this.state;return!t||!(`partition`in t)?null:e.partitions.find(({name:e})=>e===t.partition)??null}askedUnit(e){let{asked:t}=this.state;if(!t||!(`midplane`in t))return null;let n=e.midplanes.findIndex(({name:e})=>e===t.midplane);return n<0?null:n}ask(e,t=this.state.run){this.store.set({asked:e,run:t})}go(e){let[t,n]=this.span,r=Math.min(n,Math.max(t,Math.round(e))),{from:i,to:a}=this.state,o=r>=i&&r<=a?0:r-(i+a)/2;this.store.set({time:r,...this.window(i+o,a+o)})}show(e,t){this.store.set(this.window(e,t))}window(e,t){let[n,r]=this.span,i=Math.min(r-n,Math.max(120,t-e)),a=Math.min(r-i,Math.max(n,(e+t-i)/2));return{from:a,to:a+i}}step(e){let t=this.runs.map(({events:t})=>ET(t,this.state.time,e)).filter(e=>e!==null);t.length>0&&this.go(e>0?Math.min(...t):Math.max(...t))}};function ET(e,t,n){let r=ni(e,t);return n>0?e[r]??null:e[e[r-1]===t?r-2:r-1]??null}function DT(e){let t=e.map(({span:e})=>e);return[Math.min(...t.map(([e])=>e)),Math.max(...t.map(([,e])=>e))]}function OT(e){let t=[];for(let{since:n,start:r,end:i,nodes:a}of e.stays.flat())t.push([n,1,0],[r,-1,a],[i,0,-a]);t.sort((e,t)=>e[0]-t[0]);let[n,r]=[0,0],i={second:e.span[0],waiting:-1,nodes:-1};return t.forEach(([e,a,o],s)=>{n+=a,r+=o,t[s+1]?.[0]!==e&&(n>i.waiting||n===i.waiting&&r>i.nodes)&&(i={second:e,waiting:n,nodes:r})}),i.second}function kT(e,t,n,r){let i=Array.from({length:e.rows},()=>[]),a=(t,n,r,a)=>{let o=i[n].at(-1)?.end??e.submit[n];i[n].push({...t,row:n,since:o,partition:r,pieces:r?.pieces??[],isEnded:a})};for(let{stay:e,row:i,partition:o}of n?AT(n,r):[])a(e,i,t.find(({name:e})=>e===o)??null,!0);for(let n=0;n<e.rows;n++){let{start:r,end:i,granted:o,nodes:s,partition:c}=e,l={start:r[n],end:i[n],nodes:o[n]||s[n]};Number.isNaN(l.start)||a(l,n,t[c[n]]??null,!1)}return i}function AT(e,t){let[n,r,i,a]=[`job`,`start`,`end`,`granted_nodes`].map(t=>e.numbers(t));return e.texts(`partition`).map((e,o)=>({stay:{start:r[o],end:i[o],nodes:a[o]},row:t(n[o]),partition:e})).filter(e=>e.row!==null).sort((e,t)=>e.stay.start-t.stay.start)}var jT=class e{name;summary;facts;jobs;partitions;midplanes;series;outages;stays;events;rowOfId;constructor(e,t){this.name=e.name,this.summary=e.summary,this.facts=e.facts,this.midplanes=t.midplanes?IT(t.midplanes):[],this.partitions=t.partitions?LT(t.partitions,e.facts.room):[],this.jobs=MT(t.jobs,this.partitions),this.series=t.series?VT(t.series):null,this.rowOfId=new Map(Array.from(this.jobs.id,(e,t)=>[e,t])),this.outages=yw(e.facts.outages),this.stays=kT(this.jobs,this.partitions,t.ended_runs??null,e=>this.row(e)),this.hasPlaces||this.assumePlaces(),this.events=this.eventsInSpan()}static async open(t){let n=[`jobs`,`series`,`partitions`,`midplanes`,`ended_runs`],r={};for(let e of n)r[e]=t.tables[e]?await Ar(t.tables[e]):null;if(!r.jobs)throw Error(`the page has no table jobs`);return new e(t,r)}get room(){return this.facts.room}get hasPlaces(){return this.partitions.length>0}get unitNodes(){return this.room?.midplane_nodes??1}get units(){return this.midplanes.length||Math.ceil(this.facts.nodes/this.unitNodes)}get unit(){return this.room?.block??`node`}unitName(e){return this.midplanes[e]?.name??`${this.unit} ${e}`}nodesOf({unit:e,nodes:t}){return e===null?t:this.unitNodes}row(e){return this.rowOfId.get(e)??null}partitionOf(e){return this.partitions[this.jobs.partition[e]]??null}get span(){let{submit:e}=this.jobs,t=this.stays.flat().reduce((e,{end:t})=>Math.max(e,t),-1/0);return[e[0]??0,Number.isFinite(t)?t:(e[0]??0)+1]}assumePlaces(){let e=this.stays.flat(),t=this.room?this.unitNodes:null,n=e=>e/this.unitNodes;Yw(e,this.facts.nodes,t,this.closedUnits()).forEach((t,r)=>{e[r].pieces=t.map(({from:e,to:t})=>({from:n(e),to:n(t)}))})}closedUnits(){return this.outages.flatMap(({from:e,until:t,unit:n})=>n===null?[]:[{start:e,end:t,from:n*this.unitNodes,to:(n+1)*this.unitNodes}])}eventsInSpan(){let[e,t]=this.span,n=this.stays.flat().flatMap(({start:e,end:t})=>[e,t]),r=this.outages.flatMap(({from:e,until:t})=>[e,t]),i=[...n,...r].filter(n=>e<=n&&n<=t);return Float64Array.from(new Set(i)).sort()}};function MT(e,t){let n=new Map(t.map(({name:e},t)=>[e,t])),r=NT(e,`partition`),i=t=>e.has(t)?e.optionalNumbers(t):new Float64Array(e.rows).fill(NaN);return{rows:e.rows,id:i(`job`),submit:i(`submit`),start:i(`start`),end:i(`end`),nodes:i(`nodes`),granted:i(`granted_nodes`),walltime:i(`walltime`),run:i(`run`),promised:i(`promised`),restarts:i(`restarts`),user:PT(NT(e,`user`)),queue:e.has(`queue`)?PT(NT(e,`queue`)):null,application:PT(NT(e,`application`)),isKilled:NT(e,`killed`).map(e=>e===`true`),reason:NT(e,`reason`),partition:Int32Array.from(r,e=>n.get(e)??-1),partitionName:r}}function NT(e,t){return e.has(t)?Array.from(e.texts(t),e=>e==null?``:String(e)):Array(e.rows).fill(``)}function PT(e){return e.map(e=>e===`-1`?``:e)}function FT(e){return e?e.split(` `).map(Number):[]}function IT(e){let t=NT(e,`place`);return NT(e,`midplane`).map((e,n)=>({name:e,place:FT(t[n])}))}function LT(e,t){let[n,r]=[NT(e,`partition`),NT(e,`wiring`)],[i,a,o]=[`midplanes`,`cables`,`passed_through`].map(t=>NT(e,t).map(FT)),s=e.numbers(`nodes`),c=BT(n,s,t.midplane_nodes);return n.map((e,n)=>({name:e,nodes:s[n],wiring:r[n],midplanes:i[n],cables:a[n],passedThrough:o[n],pieces:RT(e,s[n],i[n],t.midplane_nodes,c)}))}function RT(e,t,n,r,i){if(n.length!==1||t>=r)return qw(n.map(e=>({from:e,to:e+1})));let a=n[0]+zT(e)*i/r;return[{from:a,to:a+t/r}]}function zT(e){return Number(e.match(/\d+$/)?.[0]??0)}function BT(e,t,n){let r=e.map((e,r)=>t[r]<n&&zT(e)>0?(n-t[r])/zT(e):1/0).reduce((e,t)=>Math.min(e,t),1/0);return Number.isFinite(r)?r:0}function VT(e){let t=t=>e.has(t)?e.optionalNumbers(t):null;return{start:e.numbers(`start`),end:e.numbers(`end`),utilization:t(`utilization`),allocated:t(`allocated`),waiting:t(`waiting_jobs`)}}var HT=8;function UT(t){let[r,i]=t.runs;if(!i)return null;let a=WT(r,i),o=e(`div`,{}),s=e(`details`,{},e(`summary`,{},`Which jobs the schedules treat differently`),o);return s.addEventListener(`toggle`,()=>{s.open&&n(o,KT(t,a),qT(t,a))}),{element:s,update:()=>{}}}function WT(e,t){let n=({jobs:e},t)=>e.start[t]-e.submit[t],r=[];return e.jobs.id.forEach((i,a)=>{let o=t.row(i);if(o===null)return;let s=[n(e,a),n(t,o)];s.some(Number.isNaN)||r.push({row:a,nodes:e.jobs.nodes[a],waits:s})}),r}function GT(e,t){let n=new Map;for(let{nodes:r,waits:i}of e){let e=Math.max(t,2**Math.ceil(Math.log2(Math.max(1,r)))),a=n.get(e)??{most:e,jobs:0,means:[0,0]};a.jobs++;for(let e of[0,1])a.means[e]+=(i[e]-a.means[e])/a.jobs;n.set(e,a)}return[...n.values()].sort((e,t)=>e.most-t.most)}function KT({shortNames:e,runs:t},n){let r=GT(n,t[0].room?.midplane_nodes??1).map(({most:e,jobs:t,means:n})=>[q(e),q(t),iw(n[0]),iw(n[1]),JT(n)]);return c(`Mean wait of jobs of up to so many nodes`,[`Nodes`,`Jobs`,...e,`Difference`],r,`hot`)}function qT(t,n){let r=({waits:e})=>Math.abs(e[1]-e[0]),i=n.filter(e=>r(e)>0);if(i.length===0)return e(`p`,{},`No job waits differently.`);let a=i.sort((e,t)=>r(t)-r(e)).slice(0,HT).map(({row:e,nodes:n,waits:r})=>[mw(t,t.runs[0],e),q(n),iw(r[0]),iw(r[1]),JT(r)]);return c(`Jobs whose waits differ most, of ${q(i.length)} that wait differently`,[`Job`,`Nodes`,...t.shortNames,`Difference`],a,`hot`)}function JT([t,n]){let r=n-t;return e(`span`,{class:r<0?`better`:r>0?`worse`:`quiet`},r===0?`same`:`${r<0?`✓ `:``}${r>0?`+`:`−`}${iw(Math.abs(r))}`)}var YT=[{key:`, and .`,what:`to the start or end of a job or an outage before, after`},{key:`space`,what:`play, pause`},{key:`+ and -`,what:`show less, more time`},{key:`[ and ]`,what:`show earlier, later times`},{key:`0`,what:`show the whole log`},{key:`n and p`,what:`the next, the previous job of the queue`},{key:`arrows in the room`,what:`to the neighboring midplane`},{key:`Escape`,what:`clear what is asked`}];function XT(e,t,n){let r=e=>{let{from:n,to:r}=t.state;t.show(n+e*(r-n),r+e*(r-n))},i=e=>{let n=sh(t.now.waiting,t.askedRow(t.run),e);n!==void 0&&t.ask({job:t.run.jobs.id[n]})};return ih(e,{",":()=>t.step(-1),".":()=>t.step(1)," ":()=>n.togglePlay(),"+":()=>n.zoom(.5),"=":()=>n.zoom(.5),"-":()=>n.zoom(2),"[":()=>r(-.25),"]":()=>r(.25),0:()=>t.show(...t.span),n:()=>i(1),p:()=>i(-1),Escape:()=>t.ask(null)})}var ZT=[`Above, the machine at the cursor's time: each block has the color of the job that holds it, stripes where cables of a job pass through, and crossed lines while it is out of service. Below, jobs as bars over time, and the curves.`,`Scroll over the charts to zoom, drag the bars to move, drag with shift to choose a range, press in the curves to move the cursor, or type its time.`,`Select a waiting job in the queue: the room marks the partition that will be free first, and who holds it. The page’s address keeps what you see: “Copy link” copies it, to share the view or to come back.`];function QT(){return ch(`How to look at a schedule`,ZT,`Keys`,YT)}var $T=[.22,.5,.8,1];function eE(e,t,n,r){let i=nE(t);return i&&(n===`racks`||e.is_switched)?rE(i):e.dimensions.length>0?iE(e,t):aE(t.length,r)}function tE(e){return nE(e)!==null}function nE(e){let t=e.map(({name:e})=>e.match(/^R([0-9A-Z])([0-9A-Z])-M(\d)$/));return t.length===0||t.some(e=>!e)?null:t.map(e=>({row:e[1],rack:e[2],midplane:Number(e[3])}))}function rE(e){let t=e=>Number.parseInt(e,36),n=new oE(e.map(({row:e,midplane:n})=>[t(e),-n])),r=new oE(e.map(({rack:e})=>[t(e)])),i=e=>e.toString(36).toUpperCase();return{width:r.length,height:n.length,cells:e.map(({row:e,rack:i,midplane:a})=>({x:r.at([t(i)]),y:n.at([t(e),-a])})),columns:r.labels(0,e=>`Rack ${i(e)}`),rows:n.labels(0,e=>`Row ${i(e)}`)}}function iE(e,t){let{dimensions:n}=e,r=Math.floor(n.length/2),i=n.map((e,t)=>t).filter(e=>n[e].length>1),a=i.filter(e=>e<r),o=i.filter(e=>e>=r),s=(e,t)=>t.map(t=>e[t]),c=new oE(t.map(({place:e})=>s(e,a))),l=new oE(t.map(({place:e})=>s(e,o))),u=(e,t)=>r=>`${n[e[t]].name} ${r}`,d=(e,t)=>t.flatMap((n,r)=>e.labels(r,u(t,r)));return{width:l.length,height:c.length,cells:t.map(({place:e})=>({x:l.at(s(e,o)),y:c.at(s(e,a))})),columns:d(l,o),rows:d(c,a)}}function aE(e,t){let n=Array.from({length:e},(t,n)=>({columns:n+1,rows:Math.ceil(e/(n+1))})),r=({columns:n,rows:r})=>Math.abs(Math.log(t*r/n/1.5))+(n*r===e?0:.7+(n*r-e)/e),{columns:i,rows:a}=n.reduce((e,t)=>r(t)<r(e)?t:e),o=1+$T[0];return{width:i*o-$T[0],height:a*o-$T[0],cells:Array.from({length:e},(e,t)=>({x:t%i*o,y:Math.floor(t/i)*o})),columns:[],rows:[]}}var oE=class{length;keys;positions=new Map;constructor(e){let t=new Map(e.map(e=>[e.join(),e]));this.keys=[...t.values()].sort(pE);let n=0;this.keys.forEach((e,t)=>{t>0&&(n+=1+mE(this.keys[t-1],e)),this.positions.set(e.join(),n)}),this.length=n+1}at(e){return this.positions.get(e.join())}labels(e,t){let n=new Map;for(let t of this.keys){let r=t.slice(0,e+1).join();n.set(r,[...n.get(r)??[],t])}return[...n.values()].map(n=>({at:(this.at(n[0])+this.at(n[n.length-1])+1)/2,text:t(n[0][e]),isGroup:e<n[0].length-1}))}},[sE,cE,lE]=[6.4,6,13];function uE(e,t){let n=({text:e})=>e.length*sE,r=(e,t)=>(n(e)+n(t))/2+cE;return fE(e,t,r).length===e.length?e:fE(e.map((e,t)=>t===0?e:{...e,text:e.text.split(` `).at(-1)}),t,r)}function dE(e,t){return fE(e,t,()=>lE)}function fE(e,t,n){let r=[];for(let i of e){let e=r.at(-1);(!e||(i.at-e.at)*t>=n(e,i))&&r.push(i)}return r}function pE(e,t){let n=e.findIndex((e,n)=>e!==t[n]);return n<0?0:e[n]-t[n]}function mE(e,t){let n=e.findIndex((e,n)=>e!==t[n]);return $T[e.length-1-n]??1}var hE=2;function gE(e){return new XMLSerializer().serializeToString(e)}async function _E(e,t){let n=new Image;n.src=`data:image/svg+xml,${encodeURIComponent(gE(e))}`,await n.decode();let r=document.createElement(`canvas`);r.width=hE*n.width,r.height=hE*(n.height+t.element.clientHeight);let i=r.getContext(`2d`);return i.scale(hE,hE),i.drawImage(n,0,0,n.width,n.height),i.translate(0,n.height),await t.paint(i,hE),new Promise((e,t)=>r.toBlob(n=>n?e(n):t(Error(`no picture`)),`image/png`))}function vE(t,n,r,i){let a=t.runs.map(({name:e})=>e),o=a.join(` and `);return e(`header`,{},e(`h1`,{title:o},o),e(`p`,{class:`quiet`},yE(t)),rh(t,{what:{png:`the room and the charts`,svg:`the room`},file:e=>Ai([...a,ow(t.state.time,!0)],e),png:()=>_E(n.drawing(),r),svg:()=>gE(n.drawing())},i,QT()))}function yE(e){let{facts:t,jobs:n,room:r}=e.runs[0];return`${r?`${r.name}, ${q(e.runs[0].units)} ${r.block}s, `:``}${q(t.nodes)} nodes · ${q(n.rows)} jobs`}function bE(t){let{store:n,runs:r}=t,i=e=>t=>n.set({[e]:t}),o=r[0].room,s=a(`Color`,`What gives jobs their color`,[{value:`job`,text:`job`},...t.colors.hasUsers?[{value:`user`,text:`user`}]:[],{value:`nodes`,text:`size of job`},{value:`wait`,text:`wait of job`}],i(`colors`)),c=a(`Cables`,`Which cables are drawn, in the color of the job that uses them`,[{value:`used`,text:`in use`},{value:`asked`,text:`of the selected job`},{value:`all`,text:`all`},{value:`none`,text:`none`}],i(`cables`)),l=a(`Place`,`Where midplanes are drawn`,[{value:`racks`,text:`as racks stand`},{value:`places`,text:`by coordinates`}],i(`arrangement`)),u=e(`span`,{class:`scale`}),d=o?xE(`idle`,`idle`):null,f=o&&!o.is_switched?xE(`passed`,`passed through`):null,p=r.every(e=>e.hasPlaces)?null:e(`span`,{class:`quiet note`,title:SE(t)},`places assumed`),m=o?xE(`dashed`,`waited for`):null,h=r.some(({outages:e})=>e.some(({nodes:e})=>e===0))?xE(`crossed`,`out of service`):null,g=r.some(({stays:e})=>e.flat().some(({isEnded:e})=>e))?e(`span`,{class:`quiet key`},`✕ an outage ended the run`):null;return{element:e(`div`,{class:`toolbar`},s.element,c.element,l.element,u,d,f,m,h,g,p),update:()=>{let{state:n,theme:i}=t;s.select.value=n.colors,c.select.value=n.cables,l.select.value=n.arrangement,c.element.hidden=!o||o.cables.length===0,l.element.hidden=!o||o.is_switched||!tE(r[0].midplanes);let a=bT(r,n.colors);u.hidden=a===null;let d=Array.from({length:9},(e,t)=>zi(Li(`values`,i,t/8)));a&&u.replaceChildren(a[0],e(`i`,{style:`background: linear-gradient(to right, ${d.join(`, `)})`}),a[1])}}}function xE(t,n){return e(`span`,{class:`quiet key`},e(`i`,{class:t}),n)}function SE({runs:e}){let t=`The schedule does not say which ${e[0].room?`${e[0].room.block}s`:`nodes`} a job has: any will do. They are drawn by first fit.`;return e.every(({outages:e})=>e.length===0)?t:e[0].room?`${t} Where it finds too few others, a job is on one that is out of service.`:`${t} Nodes out of service have no place: they are only counted.`}var CE=[{key:`wait_seconds_mean`,label:`Wait, mean`,text:iw,isLessBetter:!0},{key:`wait_seconds_p90`,label:`Wait, 90th percentile`,text:iw,isLessBetter:!0},{key:`wait_seconds_max`,label:`Wait, longest`,text:iw,isLessBetter:!0},{key:`bounded_slowdown_mean`,label:`Bounded slowdown, mean`,text:e=>e.toFixed(2),isLessBetter:!0},{key:`utilization`,label:`Utilization`,text:Lr,isLessBetter:!1},{key:`utilization_while_submitting`,label:`Utilization while jobs arrive`,text:Lr,isLessBetter:!1},{key:`loss_of_capacity`,label:`Loss of capacity`,text:Lr,isLessBetter:!0},{key:`overtaken_share`,label:`Jobs overtaken`,text:Lr,isLessBetter:null},{key:`jobs_run`,label:`Jobs run`,text:q,isLessBetter:null},{key:`jobs_killed`,label:`Jobs killed`,text:q,isLessBetter:!0,isRare:!0},{key:`restarts`,label:`Restarts after outages`,text:q,isLessBetter:!0,isRare:!0},{key:`lost_to_outages`,label:`Lost to outages`,text:Lr,isLessBetter:!0,isRare:!0}];function wE(t){let{runs:n}=t,r=n.length>1,i=c(r?`✓ where ${t.shortNames[1]} is better than ${t.shortNames[0]}.`:``,[``,...n.map((e,n)=>r?t.shortNames[n]:``),...r?[`Difference`]:[]],CE.flatMap(e=>TE(n,e)),r?`facts compared`:`facts`);return{element:e(`details`,{open:!0,class:`measured`},e(`summary`,{},r?`What the schedules achieve`:`Measures`),i),update:()=>{}}}function TE(t,{key:n,label:r,text:i,isLessBetter:a,isRare:o}){let s=t.map(({summary:e})=>e[n]);if(!s.every(e=>typeof e==`number`)||o&&s.every(e=>e===0))return[];let c=s.map(e=>i(e));if(s.length<2)return[[r,...c]];let l=s[1]-s[0],u=a===null||c[0]===c[1]?null:l<0===a,d=u===null?`quiet`:u?`better`:`worse`,f=l>0?`+`:l<0?`−`:``,p=c[0]===c[1]?`same`:`${u?`✓ `:``}${f}${EE(Math.abs(l),i)}`;return[[r,...c,e(`span`,{class:d},p)]]}function EE(e,t){return t===Lr?Lr(e).replace(`%`,`points`):t(e)}function DE(t){if(t.runs.every(({outages:e})=>e.length===0))return null;let r=e(`div`,{}),i=e(`details`,{class:`outages`},e(`summary`,{},`Outages`),r),a=()=>{i.open&&n(r,OE(t))};return i.addEventListener(`toggle`,a),{element:i,update:e=>{e.has(`run`)&&a()}}}function OE(t){let{run:n}=t;return n.outages.length===0?e(`p`,{},`None of ${n.name}.`):c(`Outages of ${n.name}`,[`Part`,`From`,`Until`,`Jobs ended`],n.outages.map(e=>kE(t,e)),`hot`)}function kE(e,t){let{run:n}=e,{unit:r,from:i,until:a}=t,o=xw(n,t).map(({row:e})=>e);return[r!==null&&n.midplanes[r]?gw(e,n,r):Sw(n,t),vw(e,i),a===1/0?`for good`:vw(e,a),o.length>0?hw(e,n,o):`none`]}var AE=200;function jE(t){let r=e(`div`,{class:`queue`}),i=e(`h2`,{},`Queue`),a=e(`p`,{class:`hint`},`In order of submission. Select a job: the room marks what it waits for.`),o=e(`div`,{class:`tabs`,role:`group`,"aria-label":`Run`});return{element:e(`section`,{"aria-label":`Queue`},i,t.runs.length>1?o:null,a,r),update:s=>{if(![...s].some(e=>e===`time`||e===`run`||e===`asked`))return;let{waiting:c}=t.now;n(i,`Queue: ${q(c.length)} waiting`),n(o,...t.runs.map((e,n)=>NE(t,t.shortNames[n],n)));let l=t.askedRow(t.run);a.hidden=c.length===0;let{scrollTop:u}=r;n(r,c.length>0?PE(t):e(`p`,{class:`hint`},`Nobody waits at this time.`)),r.scrollTop=u,l!==null&&(s.has(`asked`)||s.has(`run`))&&r.querySelector(`tr.selected`)?.scrollIntoView({block:`nearest`})}}}function ME(e,t){return e===null?`now`:e===1/0?`never`:rw(e-t)}function NE(e,t,n){let r=e.at(n).waiting.length,i=o(`${t} (${q(r)})`,`The queue of ${t}`,()=>e.store.set({run:n}),`small`);return i.setAttribute(`aria-pressed`,String(e.state.run===n)),i}function PE(t){let{now:n,run:r}=t,{jobs:i}=r,a=n.waiting.slice(0,AE),o=c(``,[`Job`,`Nodes`,`Waits`,`For`,`Free in`],a.map(a=>{let o=Pw(n,a),{since:s}=n.stay(a),c=s>i.submit[a]?`, waits again since ${ow(s)}`:``;return[mw(t,r,a),q(i.nodes[a]),e(`span`,{title:`Submitted at ${uw(i.submit[a])}${c}`},rw(n.second-s)),e(`span`,{title:`Waits ${Ow(n,a)}`},Mw(n,a)),ME(o,n.second)]}),`hot`),s=t.askedRow(r);return[...o.tBodies[0].rows].forEach((e,n)=>{e.classList.toggle(`selected`,a[n]===s),e.addEventListener(`click`,()=>t.ask({job:i.id[a[n]]}))}),n.waiting.length>AE&&o.tBodies[0].append(e(`tr`,{},e(`td`,{colspan:5},`and ${q(n.waiting.length-AE)} more`))),o}function FE(e,t){return LE(e,t)??IE(e,t)}function IE(e,t){let{hovered:n}=e.state,r=n===null?null:e.runs[t].row(n);return r!==null&&e.at(t).isRunning(r)?{...BE([r]),isSoft:!0}:null}function LE(e,t){let n=e.runs[t],r=e.at(t),i=e.askedRow(n);if(i!==null&&r.isWaiting(i))return RE(r,r.waits(i));if(i!==null)return r.isRunning(i)?BE([i]):null;let a=e.askedPartition(n);if(a)return zE(r,{partition:a,holders:r.holdersOf(a)},null);let o=e.askedUnit(n);return o===null?null:{...BE([...r.in(o),...r.through(o)]),unit:o}}function RE(e,t){return t.kind===`nodes`?{...BE(t.holders),waits:t}:t.next&&t.free===0?zE(e,t.next,t):{...BE([]),waits:t}}function zE(e,{partition:t,holders:n},r){let i=new Set(n.flatMap(t=>e.stay(t).partition?.cables??[])),a=new Set(t.cables.filter(e=>i.has(e)));return{...BE(n),wanted:t,contested:a,waits:r}}function BE(e){return{jobs:new Set(e),wanted:null,contested:new Set,unit:null,waits:null,isSoft:!1}}function VE(e,t){let n={below:[],above:[]},{cables:r,dimensions:i}=e.run.room,a=HE(e);return r.forEach(({from:r,to:o,dimension:s},c)=>{let l=UE(e,c,a.get(c));if(!l)return;let u=GE(t[r],t[o],i.findIndex(({name:e})=>e===s));n[l.isAbove?`above`:`below`].push(...JE(u,l,e.paint.ground)),l.isOut&&n.above.push(KE(u,c,l.color))}),n}function HE({now:e}){let t=new Map;for(let n of e.running)for(let r of e.stay(n).partition?.cables??[])t.set(r,n);return t}function UE(e,t,n){let{focus:r,paint:i,context:a}=e,{cables:o}=a.state;if(o!==`none`&&e.now.outageOfCable(t))return{color:i.quiet,width:1.75,opacity:1,isAbove:!0,isOut:!0};if(r?.contested.has(t))return{color:i.wanted,width:2.5,opacity:1,isAbove:!WE(e,t)};if(r?.wanted?.cables.includes(t))return{color:i.wanted,width:1.25,opacity:.9,isAbove:!1};if(n===void 0)return o===`all`?{color:i.quiet,width:1,opacity:.3,isAbove:!1}:null;let s=e.color(n);return r?.jobs.has(n)&&r.jobs.size===1&&!r.waits&&o!==`none`?{color:s,width:1.75,opacity:1,isAbove:!0}:o!==`used`&&o!==`all`?null:{color:s,width:1.75,opacity:e.isBack(n)?.2:1,isAbove:!1}}function WE({run:e,now:t},n){let{from:r,to:i}=e.room.cables[n];return t.in(r).length>0&&t.in(i).length>0}function GE(e,t,n){let r=({x:e,y:t,width:n,height:r})=>[e+n/2,t+r/2],[[i,a],[o,s]]=[r(e),r(t)],c=Math.hypot(o-i,s-a)||1,l=(.06*c+5+2*n)/c,[u,d]=[(i+o)/2-(s-a)*l,(a+s)/2+(o-i)*l];return{start:[i,a],bend:[u,d],end:[o,s]}}function KE({start:e,bend:t,end:n},r,a){let[o,s]=[0,1].map(r=>(e[r]+2*t[r]+n[r])/4);return i(`path`,{d:`M${qE(o-4)},${qE(s-4)}l8,8m0,-8l-8,8`,fill:`none`,stroke:a,"stroke-width":2,"pointer-events":`bounding-box`,"data-cable":r})}function qE(e){return e.toFixed(1)}function JE({start:e,bend:t,end:n},{color:r,width:a,opacity:o,isAbove:s,isOut:c},l){let u=`M${e.map(qE)}Q${t.map(qE)} ${n.map(qE)}`,d={"stroke-dasharray":c?`6 3`:``},f=(e,t)=>i(`path`,{d:u,fill:`none`,stroke:e,"stroke-width":t,opacity:o,...d,"pointer-events":`none`});return s?[f(l,a+2),f(r,a)]:[f(r,a)]}var YE={dark:{ground:`#0d1117`,idle:`#1a212b`,idleLine:`#303a46`,line:`#2a323d`,ink:`#e6edf3`,quiet:`#94a0ad`,select:`#ffffff`,wanted:`#ff7b72`},light:{ground:`#ffffff`,idle:`#eff2f5`,idleLine:`#d0d7de`,line:`#d5dbe1`,ink:`#1f2328`,quiet:`#5b6570`,select:`#000000`,wanted:`#cf222e`}};function XE(e){return YE[e]}var ZE=`system-ui, sans-serif`,QE=class{context;run;now;focus;paint;width;height;constructor(e,t,n,r){this.context=e,this.run=e.runs[t],this.now=e.at(t),this.focus=FE(e,t),this.paint=XE(e.theme),this.width=n,this.height=r}color(e){return this.context.colors.css(this.run,e,this.context.state.colors,this.context.theme)}ink(e){return ST(this.context.colors.of(this.run,e,this.context.state.colors,this.context.theme))}isBack(e){return this.focus!==null&&!this.focus.isSoft&&!this.focus.jobs.has(e)}jobLabel(e,t,n,r){let a=String(this.run.jobs.id[e]),o=Math.min(12,t.height-4,(t.width-4)/(a.length*.64));if(o<8)return[];let s={x:t.x+t.width/2,y:t.y+t.height/2+o*(n?.75:.36)},c={fill:this.ink(e),"font-size":o,"font-family":ZE,"font-weight":650},l={...r,"data-job":e,opacity:this.isBack(e)?.4:1};return[i(`text`,{...s,...c,...l,"text-anchor":`middle`},a)]}};function $E({width:e,height:t}){return e>=44&&t>=34}var eD=1200,tD=class extends QE{draw(){let e=this.lines(),{nodes:t}=this.run.facts,{idle:n,idleLine:r}=this.paint;return[...Array.from({length:e.count},(a,o)=>i(`rect`,{...e.box(o*e.perLine,Math.min(t,(o+1)*e.perLine),o),fill:n,stroke:r})),...this.now.running.flatMap(t=>this.job(t,e)),...this.between(e)]}lines(){let{nodes:e}=this.run.facts,[t,n]=[14,8],[r,i]=[this.width-2*t,this.height-2*n],a=e<=eD,o=Math.ceil(Math.sqrt(e*r/i)),s=a?Math.ceil(e/o):Math.max(1,Math.floor(i/36)),c=Math.ceil(e/s),l=Math.min(i/s,60);return{count:s,perLine:c,box:(e,i,a)=>({x:t+(e-a*c)/c*r,y:n+a*l,width:(i-e)/c*r,height:l-3})}}job(e,{perLine:t,box:n}){let r=this.isBack(e)?.28:1,a=this.context.askedRow(this.run)===e,o={rx:2,fill:this.color(e),opacity:r,stroke:a?this.paint.select:this.paint.ground,"stroke-width":a?2:1};return this.now.stay(e).pieces.flatMap(({from:r,to:a})=>{let s=[];for(let c=Math.floor(r/t);c*t<a;c++){let l=n(Math.max(r,c*t),Math.min(a,(c+1)*t),c);s.push(i(`rect`,{...l,...o,"data-job":e}),...this.jobLabel(e,l,!1,{}))}return s})}between({perLine:e,box:t}){if(t(0,1,0).width<6)return[];let n=[];for(let r=0;r<this.run.facts.nodes;r++){if(r%e===0)continue;let{x:i,y:a,height:o}=t(r,r+1,Math.floor(r/e));n.push(`M${i.toFixed(1)},${a.toFixed(1)}v${o.toFixed(1)}`)}let r={stroke:this.paint.ground,"stroke-opacity":.35,"pointer-events":`none`};return[i(`path`,{d:n.join(``),...r})]}};function nD(e,t,n,r){return e.runs[t].room?new iD(e,t,n,r).draw():{shapes:new tD(e,t,n,r).draw(),boxes:[]}}var rD=0,iD=class extends QE{draw(){let{run:e,context:t}=this,n=eE(e.room,e.midplanes,t.state.arrangement,this.width/this.height),{place:r,shapes:i}=this.frame(n),a=n.cells.map(r),o=a.map((e,t)=>this.block(e,t)),s=this.now.running.flatMap(e=>this.parts(e,a)),c=s.map(e=>this.job(e)),l=this.outOfService(a),u=s.flatMap(({row:e,box:t,unit:n})=>this.jobLabel(e,t,$E(t),{"data-unit":n})),d=this.now.running.flatMap(e=>this.passedThrough(e,a)),f=a.flatMap((e,t)=>this.name(e,t)??[]),p=this.marks(a),{below:m,above:h}=VE(this,a);return{shapes:[...m,...i,...o,...c,...l,...d,...h,...f,...u,...p],boxes:a}}frame(e){let t=e=>e.some(({isGroup:e})=>e),n=e.rows.length>0?t(e.rows)?62:46:12,r=e.columns.length>0?t(e.columns)?32:18:8,[i,a]=[12,8],o=(this.width-n-i)/e.width,s=Math.min((this.height-r-a)/e.height,90),c=({x:e,y:t})=>({x:n+e*o,y:r+t*s,width:o,height:s}),l=(e,t,n)=>[...t(e.filter(({isGroup:e})=>e),n),...t(e.filter(({isGroup:e})=>!e),n)],u=l(e.columns,uE,o).map(({at:r,text:i,isGroup:a})=>this.text(n+r*o,a||!t(e.columns)?12:26,i,`middle`,a)),d=l(e.rows,dE,s).map(({at:i,text:a,isGroup:o})=>this.text(o||!t(e.rows)?10:n-8,r+i*s+4,a,o||!t(e.rows)?`start`:`end`,o));return{place:c,shapes:[...u,...d]}}text(e,t,n,r,a=!1){return i(`text`,{x:e,y:t,"text-anchor":r,fill:a?this.paint.ink:this.paint.quiet,"font-size":11,"font-family":ZE,stroke:this.paint.ground,"stroke-width":3,"paint-order":`stroke`},n)}block({x:e,y:t,width:n,height:r},a){let{idle:o,idleLine:s}=this.paint;return i(`rect`,{x:e,y:t,width:n,height:r,rx:3,fill:o,stroke:s,"data-unit":a})}parts(e,t){let n=[];for(let{from:r,to:i}of this.now.stay(e).pieces)for(let a=Math.floor(r);a<i&&a<t.length;a++){let[o,s]=[Math.max(r,a)-a,Math.min(i,a+1)-a],{x:c,y:l,width:u,height:d}=t[a];n.push({row:e,unit:a,box:{x:c+o*u,y:l,width:(s-o)*u,height:d}})}return n}job({row:e,unit:t,box:n}){let r={rx:3,fill:this.color(e),opacity:this.isBack(e)?.28:1,stroke:this.paint.ground};return i(`rect`,{...n,...r,"data-unit":t,"data-job":e})}name(e,t){let n=this.now.in(t),r=this.run.unitName(t),a=n.length===0;if(e.width<r.length*5.2||e.height<12||!a&&!$E(e))return null;let o=a?this.paint.quiet:this.ink(n[0]),s=a?.9:this.isBack(n[0])?.3:.75,c=e.y+(a?e.height/2+3:12),l={x:e.x+e.width/2,y:c,"text-anchor":`middle`,fill:o,opacity:s},u=a?{stroke:this.paint.idle,"stroke-width":3,"paint-order":`stroke`}:{};return i(`text`,{...l,...u,"font-size":9,"font-family":ZE,"pointer-events":`none`},r)}outOfService(e){let t=this.now.outages.map(({unit:e})=>e).filter(e=>e!==null);if(t.length===0)return[];let n=`torusim-out-${++rD}`,r=i(`pattern`,{id:n,width:7,height:7,patternUnits:`userSpaceOnUse`});return r.append(i(`path`,{d:`M0,0L7,7M7,0L0,7`,stroke:this.paint.quiet})),[r,...t.map(t=>{let r={rx:3,fill:`url(#${n})`,stroke:this.paint.quiet,"pointer-events":`none`};return i(`rect`,{...e[t],...r,"data-out":t})})]}passedThrough(e,t){let n=new Set(this.now.stay(e).partition?.passedThrough??[]);if(n.size===0)return[];let r=`torusim-through-${++rD}`,a=i(`pattern`,{id:r,width:7,height:7,patternUnits:`userSpaceOnUse`,patternTransform:`rotate(45)`});return a.append(i(`rect`,{width:2.5,height:7,fill:this.color(e)})),[a,...[...n].map(n=>{let{x:a,y:o,width:s,height:c}=t[n],l=this.isBack(e)?.2:this.now.in(n).length>0?.6:.95;return i(`rect`,{x:a+1,y:o+1,width:s-2,height:c-2,rx:2,fill:`url(#${r})`,opacity:l,"pointer-events":`none`})})]}marks(e){let{focus:t,paint:n}=this;if(!t)return[];let r=(t,n,r=``)=>{let{x:a,y:o,width:s,height:c}=e[t];return i(`rect`,{x:a-1,y:o-1,width:s+2,height:c+2,rx:4,fill:`none`,stroke:n,"stroke-width":2,"stroke-dasharray":r,"pointer-events":`none`})},a=(t.wanted?.midplanes??[]).map(e=>r(e,n.wanted,`6 3`)),o=t.unit===null?[]:[r(t.unit,n.select)];return[...a,...o,...this.outlined(e)]}outlined(e){let{context:t,run:n}=this,{hovered:r}=t.state,a=[t.askedRow(n),r===null?null:n.row(r)];return[...new Set(a)].filter(e=>e!==null&&this.now.isRunning(e)).flatMap(t=>this.parts(t,e).map(({box:{x:e,y:t,width:n,height:r}})=>i(`rect`,{x:e-1,y:t-1,width:n+2,height:r+2,rx:4,fill:`none`,stroke:this.paint.select,"stroke-width":2,"pointer-events":`none`})))}};function aD({jobs:e},{row:t,since:n,start:r,end:i,nodes:a,partition:o,isEnded:s}){let c=a>e.nodes[t]?` (${q(a)} granted)`:``;return[`Job ${e.id[t]}: ${q(e.nodes[t])} ${e.nodes[t]===1?`node`:`nodes`}${c}`,o?.name??``,`Waited ${rw(r-n)}, runs ${rw(i-r)}`,`${ow(r)} to ${ow(i)}`,s?`An outage ended this run`:``].filter(e=>e)}function oD(t,n){let r=t.runs.map((e,r)=>sD(t,r,n)),i=e(`div`,{class:`rooms`},...r.map(e=>e.element));return{element:i,update:e=>{for(let t of r)t.update(e)},drawing:()=>hD(t,i,r)}}function sD(t,r,a){let o=t.runs[r],s=i(`svg`,{tabindex:0,role:`img`,"aria-label":`The machine of ${o.name}; the same as tables is at the side`}),c=e(`div`,{class:`room-stage`},s),l=e(`div`,{class:`room-head`}),u=e(`section`,{class:`room`,"aria-label":o.name},l,c),d=[],f=()=>{let{clientWidth:e,clientHeight:n}=c;if(e<40||n<40)return;let i=nD(t,r,e,n);d=i.boxes,s.setAttribute(`viewBox`,`0 0 ${e} ${n}`),s.replaceChildren(...i.shapes)};new ResizeObserver(()=>{f(),a.hide()}).observe(c);let p=e=>{let t=e.target.dataset??{};return{job:t.job===void 0?null:Number(t.job),unit:t.unit===void 0?null:Number(t.unit),cable:t.cable===void 0?null:Number(t.cable)}};return s.addEventListener(`pointermove`,e=>{let{job:n,unit:i,cable:s}=p(e);t.store.set({hovered:n===null?null:o.jobs.id[n]});let c=s===null?null:t.at(r).outageOfCable(s);a.show(e,c?[Tw(o,c)]:fD(t,r,n,i))}),s.addEventListener(`pointerleave`,()=>{t.store.set({hovered:null}),a.hide()}),s.addEventListener(`click`,e=>{let{job:n,unit:i}=p(e);n===null?i!==null&&o.midplanes[i]?t.ask({midplane:o.midplanes[i].name},r):t.ask(null,r):t.ask({job:o.jobs.id[n]},r)}),s.addEventListener(`keydown`,e=>{let n=pD(t.askedUnit(o),e.key,d);n!==null&&(t.ask({midplane:o.midplanes[n].name},r),e.preventDefault(),e.stopPropagation())}),{element:u,update:()=>{let{state:i,below:a}=uD(t,r),s=FE(t,r)?.waits;n(l,e(`div`,{title:`${o.name}: ${i}`},e(`b`,{},o.name),` `,e(`span`,{class:`quiet`},i)),e(`div`,{class:s?`waits wanted`:`waits quiet`,title:a},a)),f()},picture:s,texts:()=>[t.shortNames[r],cD(t,r),lD(t,r)]}}function cD(e,t){let n=e.at(t),r=Lr(n.usedNodes/n.schedule.facts.nodes);return`${(e=>e.length===1?`1 job`:`${q(e.length)} jobs`)(n.running)} on ${r} of nodes · ${q(n.waiting.length)} waiting`}function lD(e,t){let n=e.at(t),r=Ew(n.schedule,n.outages);return r&&`${r} out of service`}function uD(e,t){let[n,r,i]=[cD,lD,dD].map(n=>n(e,t));return e.runs.length>1?{state:n,below:[i,r].filter(e=>e).join(` · `)}:{state:[n,r].filter(e=>e).join(` · `),below:i}}function dD(e,t){let n=e.runs[t],r=e.askedRow(n);return r===null||!e.at(t).isWaiting(r)?``:`Job ${n.jobs.id[r]} waits ${jw(e.at(t),r)}`}function fD(e,t,n,r){let i=e.at(t),{schedule:a}=i,o=n===null?[]:aD(a,i.stay(n));if(r===null)return o;let s=i.through(r).map(e=>a.jobs.id[e]),c=a.midplanes[r]?.place??[],l=a.room.dimensions.map(({name:e},t)=>`${e} ${c[t]}`).join(`, `),u=`${a.unitName(r)}${l?` (${l})`:``}`,d=i.outageOf(r),f=d?`: ${ww(d)}`:i.in(r).length===0?`: idle`:``,p=s.length>0?`Cables of ${s.length>1?`jobs`:`job`} ${s.join(`, `)} pass through`:``;return[...o,u+f,p].filter(e=>e)}function pD(e,t,n){let r={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]}[t];if(!r||n.length===0)return null;if(e===null)return 0;let{x:i,y:a}=n[e],o=null,s=1/0;return n.forEach((e,t)=>{let[n,c]=r[0]?[(e.x-i)*r[0],e.y-a]:[(e.y-a)*r[1],e.x-i],l=n+4*Math.abs(c);n>1&&l<s&&([o,s]=[t,l])}),o}function mD(e){let{runs:t,state:n}=e,{room:r,facts:i,units:a}=t[0],o={job:`job`,user:`user`,nodes:`size of job`,wait:`wait of job`}[n.colors];return[t.map(({name:e})=>e).join(` and `),r?`${r.name}, ${q(a)} ${r.block}s, ${q(i.nodes)} nodes`:`${q(i.nodes)} nodes`,ow(n.time,!0),`colored by ${o}`,...t.map((n,r)=>{let i=dD(e,r);return i&&t.length>1?`${e.shortNames[r]}: ${i}`:i})]}function hD(e,t,n){let{clientWidth:r}=t,a=getComputedStyle(t),o=Di(mD(e),r),s=Oi(o),c=t.clientHeight+s,l=a.getPropertyValue(`--ink`).trim(),u=i(`svg`,{xmlns:`http://www.w3.org/2000/svg`,width:r,height:c,viewBox:`0 0 ${r} ${c}`});u.append(i(`rect`,{width:r,height:c,fill:a.getPropertyValue(`--ground`).trim()})),u.append(...ki(o,0,l));for(let{picture:e,texts:r}of n){let[n,a]=[t.getBoundingClientRect(),e.getBoundingClientRect()],o=i(`g`,{transform:`translate(${a.left-n.left} ${a.top-n.top+s})`});o.append(...[...e.children].map(e=>e.cloneNode(!0)));let c=Di(r(),a.width);o.append(...ki(c,-Oi(c),l)),u.append(o)}return u}function gD(t){let r=e(`div`,{}),i=e(`details`,{class:`tables`},e(`summary`,{},`The machine now, as tables`),r),a=()=>{i.open&&n(r,_D(t),vD(t),bD(t))};return i.addEventListener(`toggle`,a),{element:i,update:e=>{(e.has(`time`)||e.has(`run`))&&a()}}}function _D(e){let{now:t,run:n}=e;return c(`${q(t.running.length)} running jobs of ${n.name}`,[`Job`,`Nodes`,`Since`,`To go`,`Partition`],t.running.map(r=>{let{start:i,end:a,nodes:o,partition:s,isEnded:c}=t.stay(r);return[mw(e,n,r),q(o),vw(e,i),`${rw(a-t.second)}${c?`, until an outage`:``}`,s?_w(e,n,s.name):n.jobs.partitionName[r]]}),`hot`)}function vD(e){let{now:t,run:n}=e;return n.midplanes.length===0?null:c(`Each ${n.unit}`,[`Name`,`Held by`,`Passed through by`],n.midplanes.map((r,i)=>[gw(e,n,i),yD(e,i),hw(e,n,t.through(i))]))}function yD(e,t){let{now:n,run:r}=e,i=n.outageOf(t);return i?ww(i):hw(e,r,n.in(t))}function bD(e){let{now:t,run:n}=e,{cables:r=[]}=n.room??{};if(r.length===0)return null;let i=(t,i)=>{let{dimension:a,from:o,to:s}=r[t];return[a,gw(e,n,o),gw(e,n,s),i]},a=t.running.flatMap(r=>(t.stay(r).partition?.cables??[]).map(t=>i(t,mw(e,n,r)))),o=t.outages.flatMap(e=>e.cable===null?[]:[i(e.cable,ww(e))]);return c(`${q(a.length)} of ${q(r.length)} cables in use`,[``,`From`,`To`,`Job`],[...a,...o])}var xD=400,SD=15;function CD(t){let[r,i]=t.span,a=e(`input`,{type:`range`,min:r,max:i,step:1,"aria-label":`Time, in seconds of the log`,oninput:()=>t.go(Number(a.value))});a.addEventListener(`keydown`,e=>{let n={ArrowLeft:-1,ArrowDown:-1,ArrowRight:1,ArrowUp:1}[e.key];n&&(t.step(n),e.preventDefault())});let s=wD(t),c=e(`div`,{class:`shown`}),l=e(`span`,{class:`quiet seen`}),u=new S_(SD,()=>{t.state.time>=i&&t.go(r)},()=>{let{time:e,from:n,to:r}=t.state;return t.go(e+Math.max(1,(r-n)/xD)),t.state.time<i}),d=e=>{let{time:n,from:r,to:i}=t.state;t.show(n-(n-r)*e,n+(i-n)*e)},f=e(`div`,{class:`times`},e(`div`,{class:`time-bar`},o(`‹`,`To the start or end of a job or an outage before (comma)`,()=>t.step(-1)),u.button,o(`›`,`To the next start or end of a job or an outage (period)`,()=>t.step(1)),s.element,e(`span`,{class:`zoom`},l,o(`−`,`Show more time (minus)`,()=>d(2)),o(`+`,`Show less time (plus)`,()=>d(.5)),o(`All`,`Show the whole log (0)`,()=>t.show(r,i)))),e(`div`,{class:`time-slider`},a,c));return TD(t,c),{element:f,update:()=>{let{time:e,from:o,to:u}=t.state;a.value=String(e),a.setAttribute(`aria-valuetext`,ow(e,!0)),a.title=uw(e),s.update();let d=e=>(e-r)/(i-r);c.style.left=`${100*d(o)}%`,c.style.width=`${100*(d(u)-d(o))}%`,c.hidden=u-o>=i-r,n(l,`${rw(u-o)} shown`)},togglePlay:()=>u.toggle(),stop:()=>u.stop(),zoom:d}}function wD(t){let r=e(`input`,{type:`text`,class:`typed`,"aria-label":`Time`,spellcheck:`false`,size:18}),i=e(`span`,{class:`problem`,role:`alert`}),a=e(`form`,{class:`moment`},r,i),o=()=>{r.value=ow(t.state.time,!0),r.title=`${uw(t.state.time)}. Type another time, or seconds`,n(i)};return a.addEventListener(`submit`,e=>{e.preventDefault();let a=cw(r.value,t.span);a===null?n(i,`Write ${ow(t.span[0])}, or seconds.`):(t.go(a),o())}),r.addEventListener(`input`,()=>n(i)),r.addEventListener(`focus`,()=>r.select()),r.addEventListener(`blur`,o),{element:a,update:()=>{document.activeElement!==r&&o()}}}function TD(e,t){let n=null;t.title=`What the charts show: drag it, or zoom with the wheel`,t.addEventListener(`pointerdown`,r=>{n={x:r.clientX,from:e.state.from,to:e.state.to},t.setPointerCapture(r.pointerId)}),t.addEventListener(`pointermove`,r=>{if(!n||!(r.buttons&1))return;let[i,a]=e.span,o=(r.clientX-n.x)/t.parentElement.clientWidth*(a-i);e.show(n.from+o,n.to+o)}),t.addEventListener(`pointerup`,()=>{n=null})}var ED={left:62,right:56},DD=class{context;element;constructor(e,t){this.context=e,this.element=t}get left(){return ED.left}get width(){return Math.max(1,this.element.clientWidth-ED.left-ED.right)}x(e){let{from:t,to:n}=this.context.state;return this.left+(e-t)/(n-t)*this.width}secondAt(e){let{from:t,to:n}=this.context.state;return t+(e-this.left)/this.width*(n-t)}},OD=104,kD=14,AD=[5,4],jD=[2,2],MD=class{element=e(`div`,{class:`curves chart`});context;runs;seconds;curves;key=new kS;plotBox=e(`div`,{});resizing=new ResizeObserver(()=>this.resize());plot=null;constructor(e){this.context=e,this.runs=e.runs.filter(({series:e})=>e),this.seconds=LD(this.runs),this.curves=this.runs.flatMap((e,t)=>this.curvesOf(e,t)),this.plotBox.title=ID(this.runs),this.element.append(this.plotBox,this.key.element),this.key.element.classList.toggle(`of-two`,this.runs.length>1),this.resizing.observe(this.element)}dispose(){this.resizing.disconnect(),this.plot?.destroy()}update(e){this.seconds.length!==0&&((!this.plot||e.has(`theme`))&&this.build(),(e.has(`from`)||e.has(`to`))&&this.setWindow(),this.setKey())}resize(){let{clientWidth:e}=this.element;e>0&&this.plot?.setSize({width:e,height:OD})}setWindow(){let{from:e,to:t}=this.context.state;this.plot.setScale(`x`,{min:e,max:t})}setKey(){if(!this.plot)return;let{left:e=-1,idx:t}=this.plot.cursor,n=e>=0&&typeof t==`number`?t:Math.max(0,ni(this.seconds,this.context.state.time)-1),r=getComputedStyle(this.element),i=this.curves.map(({label:e,color:t,dash:i,values:a,text:o})=>{let s=a[n];return{label:e,dash:i,color:r.getPropertyValue(t),value:s==null?`–`:o(s)}});this.key.show(this.intervalAt(this.seconds[n]),i)}intervalAt(e){let[t]=this.runs,n=RD(t,e);if(n===null)return`Means:`;let{start:r,end:i}=t.series,a=ow(i[n]).replace(`${sw(r[n])}, `,``);return`Means of ${ow(r[n])} to ${a}:`}curvesOf(e,t){let n=this.runs.length>1?` ${this.context.shortNames[this.context.runs.indexOf(e)]}`:``,r=this.seconds.map(t=>RD(e,t)),i=(e,t)=>r.map(n=>n===null||!e?null:t*e[n]),a=t>0?`--other`:`--curve`,o={dash:t>0?AD:[],width:t>0?1.75:1.25,isFilled:!1},s={...o,scale:`share`,text:e=>Lr(e/100)},{utilization:c,allocated:l,waiting:u}=e.series,d={...s,label:`Utilization${n}`,color:`${a}-1`,values:i(c,100),isFilled:t===0},f={...s,label:`Allocated${n}`,color:`${a}-2`,dash:t>0?jD:[],values:i(l,100)},p={...o,label:`Jobs waiting${n}`,scale:`jobs`,color:`${a}-4`,width:1.75,values:i(u,1),text:e=>q(Math.round(10*e)/10)};return FD(e)?[d,f,p]:[d,p]}build(){this.plot?.destroy(),this.plot=new OS(this.optionsOf(1),this.data(),this.plotBox)}async drawnFinely(e){let t=Math.max(1,e/devicePixelRatio),n=new OS(this.optionsOf(t),this.data(),document.createElement(`div`));return await new Promise(e=>setTimeout(e)),n.destroy(),n.ctx.canvas}data(){return[this.seconds,...this.curves.map(({values:e})=>e)]}optionsOf(e){let t=getComputedStyle(this.element),n=e=>t.getPropertyValue(e).trim()||`gray`,r={stroke:n(`--quiet`),grid:{stroke:n(`--line`),width:e},ticks:{show:!1},font:ND(e),gap:5*e},{from:i,to:a}=this.context.state;return{width:e*Math.max(200,this.element.clientWidth),height:e*OD,padding:[6*e,0,0,0],cursor:{y:!1,points:{show:!1},drag:{x:!1,y:!1}},scales:{x:{time:!1,min:i,max:a,auto:!1},share:{range:()=>[0,100]},jobs:{range:(e,t,n)=>[0,Math.max(4,n*1.05)]}},axes:[{...r,size:20*e,splits:(e,t,n,r)=>this.ticks(n,r).map(({second:e})=>e),values:e=>this.ticks(e.scales.x.min,e.scales.x.max).map(({text:e})=>e)},{...r,scale:`share`,size:e*ED.left,space:26*e,values:(e,t)=>t.map(e=>`${e} %`)},{...r,scale:`jobs`,side:1,size:e*(ED.right-kD),space:26*e,grid:{show:!1},label:`jobs waiting`,labelSize:e*kD,labelFont:ND(e),stroke:n(`--curve-4`),values:(e,t)=>t.map(e=>Number.isInteger(e)?Ir(e):``)}],hooks:{draw:[()=>this.setKey()],setCursor:[()=>this.setKey()]},legend:{show:!1},series:[{},...this.curves.map(t=>PD(t,n,e))]}}ticks(e,t){return fw(e,t,Math.max(2,this.element.clientWidth/110))}};function ND(e){return`${11*e}px system-ui`}function PD(e,t,n){return{label:e.label,scale:e.scale,stroke:t(e.color),width:n*e.width,dash:e.dash.map(e=>n*e),points:{show:!1},paths:OS.paths.stepped({align:1}),fill:e.isFilled?`${t(e.color)}22`:void 0}}function FD({series:e}){let{utilization:t,allocated:n}=e;return t!==null&&n?.some((e,n)=>e-t[n]>.01)===!0}function ID([e]){if(!e)return``;let{start:t,end:n}=e.series;return`Means of intervals of ${rw(n[0]-t[0])}. Press to move the cursor`}function LD(e){let t=e.flatMap(({series:e})=>[...e.start,...e.end]);return[...new Set(t)].sort((e,t)=>e-t)}function RD({series:e},t){let{start:n,end:r}=e,i=ni(r,t);return i<r.length&&n[i]<=t?i:null}var zD=5,BD=5,VD=class{element=e(`div`,{class:`gantt`});context;index;run;stays;outages;scale;leastRatio=1;canvases=[0,1].map(()=>e(`canvas`,{}));constructor(e,t,n){this.context=e,this.index=t,this.run=e.runs[t],this.stays=this.run.stays.flat(),this.outages=this.run.outages.filter(e=>e.unit!==null),this.scale=n,this.element.append(...this.canvases),this.element.setAttribute(`role`,`img`),this.element.setAttribute(`aria-label`,`Jobs of ${this.run.name} over time`),new ResizeObserver(()=>this.draw()).observe(this.element)}update(e){let t=(...t)=>t.some(t=>e.has(t));t(`from`,`to`,`colors`,`theme`)?this.draw():(t(`asked`,`hovered`)||t(`time`)&&this.context.state.asked)&&this.drawMarks()}drawFinely(e,t){this.leastRatio=e,this.draw(),t(this.canvases),this.leastRatio=1,this.draw()}get height(){return this.element.clientHeight-2}stayAt(e,t){return this.stays.find(n=>n.isEnded&&this.ends(n).some(n=>Math.hypot(e-n.x,t-n.y)<BD))??this.barAt(e,t)}barAt(e,t){let n=this.scale.secondAt(e),r=2*(this.scale.secondAt(e+1)-n),i=this.unitAt(t),a=null,o=1/0;for(let e of this.stays){let t=Math.max(e.start-n,n-e.end,0);t>r||t>=o||e.pieces.some(({from:e,to:t})=>e<=i&&i<t)&&([a,o]=[e,t])}return a}outageAt(e,t){let n=this.scale.secondAt(e);return this.outages.filter(({from:e,until:t})=>e<=n&&n<t).find(({unit:e})=>Math.abs(t-this.y(e+.5))<=this.bandHeight/2)??null}unitAt(e){return(e-1)/this.height*this.run.units}pen(e){let t=Math.max(this.leastRatio,devicePixelRatio),[n,r]=[this.element.clientWidth,this.element.clientHeight];[e.width,e.height]=[Math.round(n*t),Math.round(r*t)];let i=e.getContext(`2d`);return i.setTransform(t,0,0,t,0,0),i}draw(){if(this.element.clientWidth===0)return;let{context:e,run:t,scale:n,height:r}=this,i=this.pen(this.canvases[0]);i.fillStyle=XE(e.theme).idle,i.fillRect(n.left,1,n.width,r),this.drawGroups(i),i.save(),i.beginPath(),i.rect(n.left,0,n.width,r+2),i.clip();let{colors:a,from:o,to:s}=e.state;this.drawOutages(i);let c=r/t.units>5?.5:0,l=this.stays.filter(({start:e,end:t})=>e<s&&t>o);for(let n of l)i.fillStyle=e.colors.css(t,n.row,a,e.theme),this.bars(i,n,c);for(let e of l)e.isEnded&&this.drawEnd(i,e);i.restore(),this.drawMarks()}bars(e,{start:t,end:n,pieces:r},i){let{scale:a}=this,o=a.x(t),s=Math.max(.75,a.x(n)-o-(i?.5:.25));for(let{from:t,to:n}of r){let r=this.y(t);e.fillRect(o,r,s,Math.max(.75,this.y(n)-r-i))}}drawOutages(e){let{from:t,to:n}=this.context.state;e.fillStyle=this.bandHeight<zD?this.stripes(e):this.crosses(e);for(let{unit:r,from:i,until:a}of this.outages){if(!(i<n&&a>t))continue;let o=this.scale.x(i),s=this.scale.x(Math.min(a,n));e.fillRect(o,this.y(r+.5)-this.bandHeight/2,Math.max(.75,s-o),this.bandHeight)}}get bandHeight(){return Math.max(3,this.height/this.run.units)}crosses(t){let n=zD,r=e(`canvas`,{width:n,height:n}),i=r.getContext(`2d`);return i.strokeStyle=i.fillStyle=XE(this.context.theme).quiet,i.globalAlpha=.3,i.fillRect(0,0,n,n),i.globalAlpha=1,i.stroke(new Path2D(`M0,0L${n},${n}M${n},0L0,${n}`)),t.createPattern(r,`repeat`)}stripes(t){let n=e(`canvas`,{width:4,height:1}),r=n.getContext(`2d`),i=XE(this.context.theme);return r.fillStyle=i.ground,r.fillRect(0,0,4,1),r.fillStyle=i.ink,r.fillRect(0,0,2,1),t.createPattern(n,`repeat`)}drawEnd(e,t){let n=XE(this.context.theme);for(let{x:r,y:i}of this.ends(t)){let t=new Path2D(`M${r-3},${i-3}l6,6m0,-6l-6,6`);for(let[r,i]of[[n.ground,4],[n.ink,1.5]])e.strokeStyle=r,e.lineWidth=i,e.stroke(t)}}ends({end:e,pieces:t}){return t.map(({from:t,to:n})=>({x:this.scale.x(e),y:this.y((t+n)/2)}))}y(e){return 1+e/this.run.units*this.height}drawGroups(e){let{scale:t,run:n,context:r}=this,i=XE(r.theme);e.font=`11px system-ui, sans-serif`,e.textAlign=`right`,e.textBaseline=`middle`;let a=-1/0;for(let{from:r,to:o,text:s}of HD(n)){e.fillStyle=i.line,r>0&&e.fillRect(t.left-6,this.y(r)-.5,t.width+6,1);let n=this.y((r+o)/2);n<a+13||(a=n,e.fillStyle=i.quiet,e.fillText(s,t.left-8,n))}}drawMarks(){if(this.element.clientWidth===0)return;let{context:e,run:t,scale:n}=this,r=this.pen(this.canvases[1]),{asked:i,hovered:a}=e.state,o=XE(e.theme);r.beginPath(),r.rect(n.left,0,n.width,this.height+2),r.clip();let s=e.askedUnit(t);s!==null&&(r.strokeStyle=o.select,r.strokeRect(n.left,this.y(s)-.5,n.width,this.y(s+1)-this.y(s)+1));let c=i&&`job`in i?t.row(i.job):null,l=FE(e,this.index),u=l?.waits?[...l.jobs]:[],d=a===null?null:t.row(a);if(c!==null){r.fillStyle=e.theme===`dark`?`#0d111799`:`#ffffff99`,r.fillRect(n.left,0,n.width,this.height+2);for(let e of u)this.drawJob(r,e,o.wanted,1);for(let e of t.stays[c])this.drawWait(r,e);this.drawJob(r,c,o.select,1.5)}d!==null&&d!==c&&this.drawJob(r,d,o.select,1)}drawJob(e,t,n,r){for(let i of this.run.stays[t])this.drawStay(e,i,n,r)}drawStay(e,t,n,r){let{context:i,run:a,scale:o}=this;e.fillStyle=i.colors.css(a,t.row,i.state.colors,i.theme),e.strokeStyle=n,e.lineWidth=r,this.bars(e,t,0);let s=o.x(t.start),c=Math.max(1,o.x(t.end)-s);for(let{from:n,to:r}of t.pieces){let t=this.y(n);e.strokeRect(s-.5,t-.5,c+1,Math.max(1.5,this.y(r)-t)+1)}t.isEnded&&this.drawEnd(e,t)}drawWait(e,{since:t,start:n,pieces:r}){let{scale:i,context:a}=this,[o]=r;if(!o||!(n>t))return;let s=this.y((o.from+o.to)/2),c=i.x(t);e.strokeStyle=e.fillStyle=XE(a.theme).wanted,e.lineWidth=1.5,e.setLineDash([4,3]),e.beginPath(),e.moveTo(c,s),e.lineTo(i.x(n),s),e.stroke(),e.setLineDash([]),e.fillRect(c-1,s-5,2,10)}};function HD(e){let{units:t,midplanes:n,room:r}=e;if(!r||n.length===0)return WD(t,e=>`node ${e}`);if(r.is_switched)return WD(t,t=>e.unitName(t));let i=nE(n)?.map(({row:e})=>`Row ${e}`)??n.map(({place:e})=>`${r.dimensions[0].name} ${e[0]}`),a=[];return i.forEach((e,t)=>{let n=a[a.length-1];n?.text===e?n.to=t+1:a.push({from:t,to:t+1,text:e})}),new Set(a.map(({text:e})=>e)).size===a.length?a:a.map(t=>({...t,text:UD(e,t)}))}function UD({midplanes:e},{from:t,to:n}){let r=e.slice(t,n).map(({name:e})=>e.split(`-`)[0]);return r.sort(),`${r[0]}–${r[r.length-1]}`}function WD(e,t){let n=[1,2,4,5,8,10].map(t=>t*10**Math.floor(Math.log10(e/4))).find(t=>e/t<=8),r=Math.max(1,Math.round(n));return Array.from({length:Math.ceil(e/r)},(n,i)=>{let a=i*r;return{from:a,to:Math.min(e,a+r),text:t(a)}})}function GD(t,n){let r=e(`div`,{class:`cursor`}),i=e(`div`,{class:`range`,hidden:!0}),a=e(`div`,{class:`timeline`}),o=new DD(t,a),s=t.runs.map((e,n)=>new VD(t,n,o)),c=new MD(t),l=s.map((r,a)=>{let s=t.runs.length>1?e(`span`,{class:`gantt-name`},t.runs[a].name):null,c=e(`div`,{class:`gantt-box`},r.element,s);return XD(t,o,r,a,c,i,n),c});QD(t,o,c.element),a.append(...l,c.element,r,i),a.addEventListener(`wheel`,e=>YD(t,o,a,e),{passive:!1});let u=()=>{let e=o.x(t.state.time);r.hidden=e<o.left-1||e>o.left+o.width+1,r.style.transform=`translateX(${e}px)`};return new ResizeObserver(u).observe(a),{element:a,update:e=>{for(let t of[...s,c])t.update(e);u()},paint:(e,t)=>KD(a,s,c,e,t),dispose:()=>c.dispose()}}async function KD(e,t,n,r,i){let a=e.getBoundingClientRect(),o=getComputedStyle(e);r.fillStyle=o.backgroundColor,r.fillRect(0,0,a.width,a.height);let s=(e,t)=>{let n=t?.getBoundingClientRect();n&&r.drawImage(e,n.left-a.left,n.top-a.top,n.width,n.height)};for(let e of t)e.drawFinely(i,e=>e.forEach(e=>void s(e,e)));let c=n.element.querySelector(`canvas`);c&&s(await n.drawnFinely(i),c),r.font=`12px system-ui, sans-serif`,r.fillStyle=o.getPropertyValue(`--ink`);for(let t of e.querySelectorAll(`.gantt-name`)){let e=t.getBoundingClientRect();r.fillText(t.textContent??``,e.left-a.left+6,e.bottom-a.top-5)}let l=e.querySelector(`.cursor:not([hidden])`)?.getBoundingClientRect();l&&r.fillRect(l.left-a.left,l.top-a.top,l.width,l.height),qD(e,a,r)}function qD(e,t,n){let r=getComputedStyle(e).getPropertyValue(`--ink`);n.font=`11px system-ui, sans-serif`;for(let i of e.querySelectorAll(`.chart-key > span`)){let[e,a]=[i.getBoundingClientRect(),i.querySelector(`line`)],[o,s]=[e.left-t.left,e.bottom-t.top-4];n.fillStyle=r,n.fillText(i.textContent??``,a?o+22:o,s),a&&JD(a,o,s-4,n)}}function JD(e,t,n,r){r.strokeStyle=e.getAttribute(`stroke`)??``,r.lineWidth=2.5,r.setLineDash((e.getAttribute(`stroke-dasharray`)??``).split(` `).filter(Boolean).map(Number)),r.beginPath(),r.moveTo(t,n),r.lineTo(t+18,n),r.stroke(),r.setLineDash([])}function YD(e,t,n,r){r.preventDefault();let{from:i,to:a}=e.state,[o,s]=r.shiftKey?[r.deltaX+r.deltaY,0]:[r.deltaX,r.deltaY];if(Math.abs(o)>Math.abs(s)){let n=o/t.width*(a-i);e.show(i+n,a+n);return}let c=t.secondAt(r.clientX-n.getBoundingClientRect().left),l=1.0015**s;e.show(c-(c-i)*l,c+(a-c)*l)}function XD(e,t,n,r,i,a,o){let s=null,c=!1,l=e=>{let t=n.element.getBoundingClientRect();return{x:e.clientX-t.left,y:e.clientY-t.top}},u=e.runs[r];i.addEventListener(`pointerdown`,t=>{if(t.button!==0)return;let{from:n,to:r}=e.state;s={x:l(t).x,from:n,to:r,isRange:t.shiftKey},c=!1,i.setPointerCapture(t.pointerId)}),i.addEventListener(`pointermove`,n=>{let{x:r,y:i}=l(n);if(!s)return d(r,i,n);if(c||=Math.abs(r-s.x)>3,!c)return;if(o.hide(),s.isRange)return p(s.x,r);let a=(s.x-r)/t.width*(s.to-s.from);e.show(s.from+a,s.to+a)}),i.addEventListener(`pointerup`,n=>{let{x:r,y:i}=l(n);if(s&&c&&s.isRange){let[n,i]=[t.secondAt(s.x),t.secondAt(r)];e.show(Math.min(n,i),Math.max(n,i))}else s&&!c&&r>=t.left&&f(r,i)}),i.addEventListener(`lostpointercapture`,()=>{a.hidden=!0,s=null}),i.addEventListener(`pointerleave`,()=>{e.store.set({hovered:null}),o.hide()}),i.addEventListener(`dblclick`,()=>e.show(...e.span));function d(r,i,a){let s=r<t.left?null:n.stayAt(r,i),c=r<t.left?null:n.outageAt(r,i);e.store.set({hovered:s&&u.jobs.id[s.row]}),o.show(a,s?aD(u,s):c?[Tw(u,c)]:[])}function f(i,a){e.go(t.secondAt(i)),e.ask(ZD(n,u,i,a),r)}function p(e,t){a.hidden=!1,a.style.left=`${Math.min(e,t)}px`,a.style.width=`${Math.abs(t-e)}px`}}function ZD(e,t,n,r){let i=e.stayAt(n,r);if(i)return{job:t.jobs.id[i.row]};let a=e.outageAt(n,r)?.unit??null,o=a===null?void 0:t.midplanes[a];return o?{midplane:o.name}:null}function QD(e,t,n){let r=r=>{let i=r.clientX-n.getBoundingClientRect().left;e.go(t.secondAt(Math.min(t.left+t.width,Math.max(t.left,i))))};n.addEventListener(`pointerdown`,e=>{e.button!==0||e.target.closest(`.chart-key`)||(n.setPointerCapture(e.pointerId),r(e))}),n.addEventListener(`pointermove`,e=>{e.buttons&1&&r(e)})}async function $D(t,r,i){n(t,e(`p`,{class:`reading`},`Reading the schedule …`));let a=[];for(let e of r.runs)a.push(await jT.open(e));performance.mark(`torusim: tables read`);let o=new eO(t,a,i);return performance.mark(`torusim: first picture`),performance.mark(`torusim: all data`),o}var eO=class{store;context;element;parts;start;address;stopKeys;time;line;constructor(t,r,i){this.element=t,this.start=tO(r);let a=()=>ZC(location.hash,this.start,r.length);this.store=new RC(i.hasAddress?a():{...this.start});let o=e=>YC(e,this.start);this.address=i.hasAddress?new x(this.store,o,a):null,this.context=new TT(r,this.store);let s=new zC,c=oD(this.context,s);this.time=CD(this.context),this.line=GD(this.context,s);let{time:l,line:u}=this,[d,f]=[vE(this.context,c,u,this.address),bE(this.context)],p=wE(this.context),m=[jE(this.context),dT(this.context)],h=UT(this.context),g=h?[p,...m,h]:[...m,p],_=DE(this.context);_&&g.push(_),g.push(gD(this.context)),this.parts=[f,c,l,u,...g];let v=e(`main`,{class:`middle`},f.element,c.element,l.element,u.element),y=e(`aside`,{class:`side`},...g.map(e=>e.element));t.classList.add(`schedule`),t.tabIndex=-1,n(t,d,e(`div`,{class:`columns`},v,y,s.element)),this.store.onChange(e=>this.update(e)),this.stopKeys=XT(t,this.context,l),this.update(new Set([...Object.keys(this.store.state),`data`])),i.hasAddress&&t.focus()}update(e){this.element.dataset.theme=this.context.theme;for(let t of this.parts)t.update(e);this.address?.write()}measure(e){let t=performance.now();return this.store.set(e),this.element.getBoundingClientRect(),performance.now()-t}dispose(){this.stopKeys(),this.time.stop(),this.line.dispose(),this.address?.dispose(),this.context.dispose(),this.element.replaceChildren(),this.element.classList.remove(`schedule`),this.element.removeAttribute(`tabindex`)}};function tO(e){let[t,n]=DT(e);return{time:Math.round(OT(e[0])),from:t,to:n,run:0,asked:null,cables:`used`,colors:`job`,arrangement:`racks`,theme:`auto`,hovered:null}}var nO={run:VC,schedule:(e,t,n)=>$D(e,t,n)},rO=`.torusim.schedule{--other-1:#f08cc4;--other-2:#f0e442;--other-4:#ff8562;outline:none}.torusim.schedule[data-theme=light]{--other-1:#b0347d;--other-2:#857000;--other-4:#d1242f}.torusim.schedule .columns{grid-template-columns:minmax(0,1fr) 350px;position:relative}.torusim.schedule .columns>.tip{z-index:2;max-width:340px}.torusim.schedule .wanted{color:var(--danger)}.torusim.schedule .toolbar{border-bottom:1px solid var(--line);white-space:nowrap;flex-wrap:wrap;align-items:baseline;gap:3px 14px;padding:5px 14px;display:flex;overflow:hidden}.torusim.schedule .toolbar .field{align-items:baseline;gap:5px;display:flex}.torusim.schedule .toolbar .field>span{color:var(--quiet);font-size:12px}.torusim.schedule .toolbar select{padding:1px 3px}.torusim.schedule .toolbar .scale{color:var(--quiet);font-size:12px}.torusim.schedule .toolbar .scale i{border-radius:2px;width:70px;height:9px;margin:0 6px;display:inline-block}.torusim.schedule .toolbar .key{font-size:12px}.torusim.schedule .toolbar .key i{vertical-align:-1px;border:1px solid var(--line);border-radius:2px;width:16px;height:11px;margin-right:5px;display:inline-block}.torusim.schedule .toolbar .key .idle{background:color-mix(in srgb, var(--quiet) 14%, transparent)}.torusim.schedule .toolbar .key .passed{background:repeating-linear-gradient(135deg, var(--quiet) 0 2px, transparent 2px 5px)}.torusim.schedule .toolbar .key .crossed{background:repeating-linear-gradient(45deg, var(--quiet) 0 1px, transparent 1px 4px), repeating-linear-gradient(-45deg, var(--quiet) 0 1px, transparent 1px 4px)}.torusim.schedule .toolbar .key .dashed{border:2px dashed var(--danger)}.torusim.schedule .toolbar .note{cursor:help;font-size:12px;-webkit-text-decoration:underline dotted;text-decoration:underline dotted}.torusim.schedule .rooms{flex:1 1 0;gap:1px;min-height:150px;display:flex}.torusim.schedule .room{flex-direction:column;flex:1 1 0;min-width:0;display:flex}.torusim.schedule .room+:is(.torusim.schedule .room){border-left:1px solid var(--line)}.torusim.schedule .room-head{min-height:18px;margin:5px 14px 2px;line-height:1.35}.torusim.schedule .room-head>*{white-space:nowrap;text-overflow:ellipsis;overflow:hidden}.torusim.schedule .room-head .waits{font-size:12px}.torusim.schedule .room:not(:only-child) .room-head{height:36px}.torusim.schedule .room-stage{flex:1;min-height:0;position:relative}.torusim.schedule .room-stage svg{outline-offset:-2px;width:100%;height:100%;position:absolute;inset:0}.torusim.schedule .room-stage svg:focus-visible{outline:2px solid var(--accent)}.torusim.schedule .room-stage [data-job],.torusim.schedule .room-stage [data-unit]{cursor:pointer}.torusim.schedule .times{border-top:1px solid var(--line);background:var(--panel);padding:5px 0 4px}.torusim.schedule .time-bar .moment{align-items:baseline;gap:8px;margin-left:8px;display:flex}.torusim.schedule .time-bar .moment .typed{font-variant-numeric:tabular-nums;font-weight:650}.torusim.schedule .time-bar .zoom{align-items:baseline;gap:5px;margin-left:auto;display:flex}.torusim.schedule .time-bar .seen{margin-right:4px;font-size:12px}.torusim.schedule .time-slider{margin:0 56px 0 62px;padding:0 0 5px;position:relative}.torusim.schedule .time-slider input{width:calc(100% + 16px);margin:3px -8px 0;display:block}.torusim.schedule .time-slider .shown{background:color-mix(in srgb, var(--accent) 55%, transparent);cursor:grab;touch-action:none;border-radius:3px;min-width:8px;height:6px;position:absolute;bottom:0}.torusim.schedule .timeline{background:var(--panel);flex-direction:column;flex:1.15 1 0;min-height:240px;display:flex;position:relative;overflow:hidden}.torusim.schedule .gantt-box{cursor:crosshair;touch-action:none;flex:1;min-height:0;position:relative}.torusim.schedule .gantt-box+:is(.torusim.schedule .gantt-box){margin-top:4px}.torusim.schedule .gantt{position:absolute;inset:0}.torusim.schedule .gantt canvas{width:100%;height:100%;position:absolute;inset:0}.torusim.schedule .gantt-name{background:color-mix(in srgb, var(--panel) 85%, transparent);pointer-events:none;border-radius:4px;padding:0 6px;font-size:12px;position:absolute;top:3px;left:68px}.torusim.schedule .curves{touch-action:none;flex:none;margin-top:3px}.torusim.schedule .cursor{background:var(--select);width:2px;box-shadow:0 0 0 1px var(--ground);pointer-events:none;position:absolute;top:0;bottom:42px;left:-1px}.torusim.schedule .range{background:color-mix(in srgb, var(--accent) 25%, transparent);pointer-events:none;position:absolute;top:0;bottom:42px}.torusim.schedule .timeline:has(.of-two) :is(.cursor,.range){bottom:59px}.torusim.schedule .side .hot td:last-child{white-space:normal;overflow-wrap:anywhere}.torusim.schedule .side .queue{min-height:110px;max-height:230px;overflow-y:auto}.torusim.schedule .side .queue tr{cursor:pointer}.torusim.schedule .side .queue th{background:var(--panel);position:sticky;top:0}.torusim.schedule .side .queue table{margin:0}.torusim.schedule .side .compared{table-layout:fixed}.torusim.schedule .side .compared td,.torusim.schedule .side .compared th{white-space:nowrap;text-overflow:ellipsis;padding-right:6px;overflow:hidden}.torusim.schedule .side .compared td:first-child{white-space:normal}.torusim.schedule .side .compared th:first-child{width:37%}.torusim.schedule .side .compared th:last-child{width:31%}.torusim.schedule .side details.measured summary{font-size:14px}.torusim.schedule .side .tabs{flex-wrap:wrap;gap:5px;display:flex}.torusim.schedule .side .better{color:var(--curve-2)}.torusim.schedule .side .worse{color:var(--curve-4)}.torusim.schedule .side .ask{margin-top:2px}@container (width<=1250px){.torusim.schedule .cursor,.torusim.schedule .range{bottom:59px}}@container (width<=900px){.torusim.schedule .columns{grid-template-columns:minmax(0,1fr)}.torusim.schedule .middle{min-height:760px}}`,iO=`.full-page{position:fixed;inset:0}.torusim{--ground:#0d1117;--panel:#151b23;--line:#2a323d;--ink:#e6edf3;--quiet:#94a0ad;--accent:#58a6ff;--curve-1:#58a6ff;--curve-2:#7ee787;--curve-3:#b98eff;--curve-4:#ffb454;--other-1:#cae8ff;--other-2:#d3f7d9;--other-4:#ffe2b8;--danger:#ff7b72;--select:#fff;background:var(--ground);height:100%;color:var(--ink);--lightningcss-light: ;--lightningcss-dark:initial;color-scheme:dark;flex-direction:column;font:13px/1.45 system-ui,Segoe UI,sans-serif;display:flex;overflow:hidden;container-type:inline-size}.torusim[data-theme=light]{--ground:#fff;--panel:#f6f8fa;--line:#d5dbe1;--ink:#1f2328;--quiet:#5b6570;--accent:#0860ca;--curve-1:#0969da;--curve-2:#1a7f37;--curve-3:#8250df;--curve-4:#b35900;--other-1:#0a3069;--other-2:#0b4a1c;--other-4:#5c2d00;--danger:#cf222e;--select:#000;--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light}.torusim *,.torusim :before{box-sizing:border-box}.torusim [hidden]{display:none!important}.torusim .quiet,.torusim .hint{color:var(--quiet)}.torusim .hint{margin:2px 0 6px;font-size:12px}.torusim .problem{color:var(--danger);margin:2px 0}.torusim .problem:empty{display:none}.torusim .dead{color:var(--danger)}.torusim .unseen{clip-path:inset(50%);width:1px;height:1px;position:absolute;overflow:hidden}.torusim .failure,.torusim .reading{padding:24px;font-size:15px}.torusim>header{border-bottom:1px solid var(--line);background:var(--panel);align-items:baseline;gap:14px;padding:7px 14px;display:flex}.torusim>header h1{white-space:nowrap;text-overflow:ellipsis;max-width:45%;margin:0;font-size:15px;font-weight:650;overflow:hidden}.torusim>header>p{white-space:nowrap;text-overflow:ellipsis;flex:1;margin:0;overflow:hidden}.torusim>header .actions{flex:none;align-items:baseline;gap:5px;display:flex}.torusim .columns{flex:1;grid-template-columns:228px minmax(0,1fr) 322px;min-height:0;display:grid}.torusim .middle{flex-direction:column;min-width:0;min-height:0;display:flex}.torusim .stage{flex:1;min-height:160px;position:relative;overflow:hidden}.torusim .picture{touch-action:none;outline-offset:-2px;cursor:grab;position:absolute;inset:0}.torusim .picture:focus-visible{outline:2px solid var(--accent)}.torusim .picture canvas{width:100%;height:100%;display:block}.torusim .overlay{pointer-events:none;width:100%;height:100%;position:absolute;inset:0}.torusim .overlay text{fill:var(--quiet);text-anchor:middle;dominant-baseline:middle;paint-order:stroke;stroke:var(--ground);stroke-width:3px;stroke-linejoin:round;font-size:11px}.torusim .overlay .axis{fill:var(--ink);font-size:14px;font-style:italic;font-weight:650}.torusim .overlay .title{fill:var(--ink);font-size:13px;font-weight:600}.torusim .overlay .block{fill:var(--ink);font-size:12px}.torusim .overlay .selected{fill:var(--ink);font-size:12px;font-weight:600}.torusim .overlay .halo{fill:none;stroke:var(--select);stroke-width:2px}.torusim .overlay .divider{stroke:var(--line);stroke-width:2px}.torusim .tip{pointer-events:none;background:color-mix(in srgb, var(--panel) 94%, transparent);border:1px solid var(--line);border-radius:6px;max-width:260px;padding:5px 9px;position:absolute;top:0;left:0;box-shadow:0 3px 12px #0006}.torusim .home{position:absolute;bottom:10px;right:10px}.torusim .legend{margin:6px 0 10px;font-size:12px}.torusim .legend .legend-title{margin-bottom:4px;font-size:13px}.torusim .legend .when{white-space:nowrap;display:block}.torusim .legend .bar{border-radius:2px;height:10px}.torusim .legend .ticks{white-space:nowrap;font-variant-numeric:tabular-nums;justify-content:space-between;gap:3px;margin:2px 0 3px;display:flex;overflow:hidden}.torusim .legend .quiet{font-size:11px}.torusim .legend .dead-key{vertical-align:middle;background:repeating-linear-gradient(to right, var(--dead) 0 7px, transparent 7px 12px);width:34px;height:3px;display:inline-block}.torusim .legend i{vertical-align:-1px;border-radius:50%;width:10px;height:10px;display:inline-block}.torusim .legend .item{white-space:nowrap;margin-right:8px;display:inline-block}.torusim button,.torusim select,.torusim input{font:inherit;color:inherit}.torusim button,.torusim select,.torusim input[type=text],.torusim input[type=number]{background:var(--ground);border:1px solid var(--line);border-radius:5px;padding:2px 8px}.torusim button{cursor:pointer}.torusim button:hover:not(:disabled){border-color:var(--accent)}.torusim button:disabled{opacity:.45;cursor:default}.torusim button[aria-pressed=true]{border-color:var(--accent);color:var(--accent)}.torusim button.small{padding:0 5px;font-size:11px}.torusim button.link{color:var(--accent);text-align:inherit;background:0 0;border:0;padding:0}.torusim button.link:hover{text-decoration:underline}.torusim :is(button,select,input,summary):focus-visible{outline:2px solid var(--accent);outline-offset:1px}.torusim input[type=range]{accent-color:var(--accent);width:100%;margin:3px 0}.torusim .controls{border-right:1px solid var(--line);background:var(--panel);padding:2px 12px 12px;overflow-y:auto}.torusim .controls fieldset{border:0;border-bottom:1px solid var(--line);margin:0;padding:6px 0 9px}.torusim .controls fieldset:last-child{border-bottom:0}.torusim .controls legend{float:left;width:100%;margin-bottom:2px;padding:0;font-weight:650}.torusim .controls legend+*{clear:both}.torusim .controls .field{margin:4px 0;display:block}.torusim .controls .field span{color:var(--quiet);font-size:12px;display:block}.torusim .controls .field output{color:var(--ink)}.torusim .controls select{width:100%;padding:2px 4px}.torusim .controls .slice{align-items:center;gap:3px;margin:4px 0;display:flex}.torusim .controls .slice b{width:12px}.torusim .controls .slice input{width:46px;padding:1px 3px}.torusim .controls .check{margin:5px 0;display:block}.torusim .side{border-left:1px solid var(--line);background:var(--panel);padding:4px 14px 20px;overflow-y:auto}.torusim .side section,.torusim .side details{border-bottom:1px solid var(--line);padding:6px 0 10px}.torusim .side h2{margin:3px 0 5px;font-size:14px;font-weight:650}.torusim .side h3{justify-content:space-between;margin:8px 0 2px;font-size:14px;font-weight:650;display:flex}.torusim .side p{margin:4px 0}.torusim .side summary{cursor:pointer;font-weight:650}.torusim .side .field{align-items:baseline;gap:8px;margin-bottom:4px;display:flex}.torusim .side .field span{color:var(--quiet);font-size:12px}.torusim .side .field select{flex:1;padding:1px 4px}.torusim .side .ask{gap:5px;display:flex}.torusim .side .ask input{flex:1;min-width:0}.torusim .side .key{border-radius:2px;width:12px;height:8px;display:inline-block}.torusim table{border-collapse:collapse;font-variant-numeric:tabular-nums;width:100%;margin:4px 0;font-size:12px}.torusim table caption{text-align:left;color:var(--quiet);padding:5px 0 1px}.torusim table caption:empty{display:none}.torusim table th{text-align:left;color:var(--quiet);padding:1px 8px 1px 0;font-weight:500}.torusim table td{border-top:1px solid color-mix(in srgb, var(--line) 60%, transparent);vertical-align:top;padding:1.5px 8px 1.5px 0}.torusim table.hot :is(td,th){white-space:nowrap;padding-right:5px}.torusim table tr.selected td{background:color-mix(in srgb, var(--accent) 18%, transparent)}.torusim table.facts thead:not(:has(th:not(:empty))){display:none}.torusim .aligned{white-space:nowrap}.torusim .aligned .whole{text-align:right;min-width:68px;display:inline-block}.torusim .scrolling{overflow-x:auto}.torusim table.numbers :is(td,th):not(:first-child){text-align:right}.torusim .outside{color:var(--danger)}.torusim .outside button{color:var(--ink)}.torusim .share{background:linear-gradient(to right, color-mix(in srgb, var(--accent) 35%, transparent) calc(100% * var(--share)), transparent 0);width:100%;padding-left:3px;display:inline-block}.torusim .time{border-top:1px solid var(--line);background:var(--panel);padding:6px 0 2px}.torusim .time-bar{white-space:nowrap;align-items:baseline;gap:5px;padding:0 14px;display:flex}.torusim .time-bar .moment{text-overflow:ellipsis;min-width:0;margin-left:8px;overflow:hidden}.torusim .time-slider{padding:0 48px}.torusim .chart{min-height:126px}.torusim .chart .u-over{cursor:ew-resize}.torusim .chart-key{white-space:nowrap;height:20px;padding:0 6px 0 14px;font-size:11px;line-height:17px;overflow:hidden}.torusim .chart-key .when{color:var(--quiet);margin-right:10px}.torusim .chart-key.of-two{white-space:normal;height:37px}.torusim .chart-key .item{white-space:nowrap;margin-right:11px;display:inline-block}.torusim .chart-key strong{font-variant-numeric:tabular-nums;font-weight:600}.torusim .chart-key .sample{vertical-align:0;margin-right:4px}.torusim .band{pointer-events:none;background:color-mix(in srgb, var(--accent) 28%, transparent);border-left:1px solid var(--accent);border-right:1px solid var(--accent);position:absolute;top:0;bottom:0}.torusim .band.window{background:color-mix(in srgb, var(--accent) 8%, transparent);border-inline-style:dashed}.torusim dialog{background:var(--panel);color:var(--ink);border:1px solid var(--line);white-space:normal;text-align:left;border-radius:10px;max-width:min(560px,100% - 24px);max-height:calc(100% - 24px);padding:12px 22px 18px;overflow:auto}.torusim dialog::backdrop{background:#0008}@container (width<=1250px){.torusim .chart-key{white-space:normal;height:37px}}@container (width<=900px){.torusim .columns{grid-template-columns:minmax(0,1fr);overflow-y:auto}.torusim .middle{order:-1;min-height:460px}.torusim .controls,.torusim .side{border:0;overflow:visible}}`;async function aO(t,r,i={hasAddress:!1}){sO(),t.classList.add(`torusim`);try{if(r.schema_version!==1)throw Error(`this viewer reads schema version 1, not ${r.schema_version}`);let e=Object.hasOwn(nO,r.kind)?nO[r.kind]:null;if(!e)throw Error(`this viewer knows no page of kind ${r.kind}`);return await e(t,r,i)}catch(r){throw n(t,e(`p`,{class:`failure`,role:`alert`},`The view cannot be shown: ${oO(r)}.`)),r}}function oO(e){return e instanceof Error?e.message:String(e)}function sO(){document.getElementById(`torusim-style`)||document.head.append(e(`style`,{id:`torusim-style`},`.uplot,.uplot *,.uplot :before,.uplot :after{box-sizing:border-box}.uplot{width:min-content;font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,Noto Sans,sans-serif,Apple Color Emoji,Segoe UI Emoji,Segoe UI Symbol,Noto Color Emoji;line-height:1.5}.u-title{text-align:center;font-size:18px;font-weight:700}.u-wrap{-webkit-user-select:none;user-select:none;position:relative}.u-over,.u-under{position:absolute}.u-under{overflow:hidden}.uplot canvas{width:100%;height:100%;display:block;position:relative}.u-axis{position:absolute}.u-legend{text-align:center;margin:auto;font-size:14px}.u-inline{display:block}.u-inline *{display:inline-block}.u-inline tr{margin-right:16px}.u-legend th{font-weight:600}.u-legend th>*{vertical-align:middle;display:inline-block}.u-legend .u-marker{width:1em;height:1em;margin-right:4px;background-clip:padding-box!important}.u-inline.u-live th:after{content:":";vertical-align:middle}.u-inline:not(.u-live) .u-value{display:none}.u-series>*{padding:4px}.u-series th{cursor:pointer}.u-legend .u-off>*{opacity:.3}.u-select{pointer-events:none;background:#00000012;position:absolute}.u-cursor-x,.u-cursor-y{pointer-events:none;will-change:transform;position:absolute;top:0;left:0}.u-hz .u-cursor-x,.u-vt .u-cursor-y{border-right:1px dashed #607d8b;height:100%}.u-hz .u-cursor-y,.u-vt .u-cursor-x{border-bottom:1px dashed #607d8b;width:100%}.u-cursor-pt{pointer-events:none;will-change:transform;border:0 solid;border-radius:50%;position:absolute;top:0;left:0;background-clip:padding-box!important}.u-axis.u-off,.u-select.u-off,.u-cursor-x.u-off,.u-cursor-y.u-off,.u-cursor-pt.u-off{display:none}`,iO,rO))}async function cO({model:t,el:n}){let r=JSON.parse(t.get(`page`)),i=t.get(`tables`)??{};for(let[e,t]of Object.entries(i)){let n=Object.entries(t).map(([e,t])=>[e,{bytes:t}]);r.runs[Number(e)].tables={...r.runs[Number(e)].tables,...Object.fromEntries(n)}}let a=e(`div`,{style:`height: ${Number(t.get(`height`)??720)}px`});n.append(a);let o=await aO(a,r);return()=>o.dispose()}var lO={render:cO};async function uO(){let t=document.getElementById(`torusim-view`);if(!t?.textContent)return;let n=e(`div`,{class:`full-page`});document.body.append(n);let r=JSON.parse(t.textContent);document.title=r.title,Object.assign(globalThis,{torusimView:await aO(n,r,{hasAddress:location.protocol!==`about:`})})}typeof document<`u`&&uO();export{lO as default,aO as mount};