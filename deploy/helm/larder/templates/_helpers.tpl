{{- define "larder.name" -}}
{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "larder.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "larder.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "larder.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
{{- end }}

{{- define "larder.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "larder.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "larder.environment" -}}
envFrom:
  - configMapRef:
      name: {{ include "larder.name" . }}
  - secretRef:
      name: {{ .Values.existingSecret }}
{{- end }}

{{- define "larder.mounts" -}}
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- end }}

{{- define "larder.volumes" -}}
volumes:
  - name: tmp
    emptyDir: {}
  - name: data
    {{- if .Values.data.existingClaim }}
    persistentVolumeClaim:
      claimName: {{ .Values.data.existingClaim }}
    {{- else }}
    emptyDir:
      sizeLimit: {{ .Values.data.emptyDirSizeLimit }}
    {{- end }}
{{- end }}
